import {
  isTitleId,
  matchOf,
  nameKey,
  nameQuery,
  searchKey,
  wordKeys,
  type GameMetadata,
  type operations,
  type OperationResponse,
} from '@lobbystats/contracts';

export type FoundName =
  | { readonly type: 'player'; readonly name: string; readonly leaderboards?: number; readonly account?: string | null }
  | { readonly type: 'game'; readonly titleId: string; readonly name: string; readonly publisher: string }
  | {
      readonly type: 'leaderboard';
      readonly titleId: string;
      readonly leaderboardId: number;
      readonly name: string;
      readonly gameName: string;
      readonly entries: number;
    }
  | {
      readonly type: 'achievement';
      readonly id: number;
      readonly name: string;
      readonly category: string;
      readonly points: number;
      readonly titleId: string | null;
    };

/** Each name once; names that equal the text are apart. */
export interface FoundNames {
  readonly exact: readonly FoundName[];
  readonly players: readonly FoundName[];
  readonly games: readonly FoundName[];
  readonly leaderboards: readonly FoundName[];
  readonly achievements: readonly FoundName[];
}

type Catalogue = OperationResponse<typeof operations.listAchievements>;
type Suggestion = OperationResponse<typeof operations.suggestNames>['suggestions'][number];

export interface Found {
  readonly text: string;
  readonly suggestions: readonly Suggestion[];
  readonly games: readonly GameMetadata[];
  /** Null: there is none; undefined: unavailable. */
  readonly player: OperationResponse<typeof operations.getPlayer> | null | undefined;
  readonly profile: OperationResponse<typeof operations.getProfile> | null | undefined;
  /** Undefined: unavailable. */
  readonly catalogue: Catalogue | undefined;
  readonly titleOf: (titleId: string) => GameMetadata | undefined;
}

/** Combines what the operations found. */
export function foundNames({ text, suggestions, games, player, profile, catalogue, titleOf }: Found): FoundNames {
  const suggested = suggestions.flatMap((suggestion) => toFoundName(suggestion, titleOf));
  const byId = isTitleId(text) ? titleOf(text.toLowerCase()) : undefined;
  const all = distinct([
    ...(player
      ? [{ type: 'player', name: player.name, leaderboards: player.leaderboardsOn, account: player.username } as const]
      : []),
    ...(profile && profile.username !== player?.username ? [{ type: 'player', name: profile.username } as const] : []),
    ...(byId === undefined ? [] : [gameOf(byId)]),
    ...suggested,
    ...games.map(gameOf),
    ...achievementsOf(catalogue, text),
  ]);
  const key = searchKey(text);
  const isExact = (found: FoundName) =>
    searchKey(found.name) === key || (found.type === 'game' && found.titleId === byId?.titleId);
  const others = Map.groupBy(
    all.filter((found) => !isExact(found)),
    ({ type }) => type,
  );
  return {
    exact: all.filter(isExact),
    players: others.get('player') ?? [],
    games: others.get('game') ?? [],
    leaderboards: others.get('leaderboard') ?? [],
    achievements: others.get('achievement') ?? [],
  };
}

export function isEmpty(found: FoundNames): boolean {
  return Object.values(found).every((names: readonly FoundName[]) => names.length === 0);
}

const ACHIEVEMENTS_MAX = 10;

/** Achievements by the same rules as the other names, best first; hidden ones by the name that everybody is shown. */
function achievementsOf(catalogue: Catalogue | undefined, text: string): FoundName[] {
  const query = nameQuery(text);
  const titleIds = new Map(catalogue?.groups.map(({ groupId, titleId }) => [groupId, titleId]));
  const found = (catalogue?.achievements ?? []).flatMap((achievement) => {
    const match = query && matchOf(wordKeys(achievement.name), query);
    return match === undefined ? [] : [{ match, achievement }];
  });
  return found
    .sort((one, other) => one.match - other.match)
    .slice(0, ACHIEVEMENTS_MAX)
    .map(({ achievement: { id, name, category, points, groupId } }) => ({
      ...{ type: 'achievement', id, name, category, points },
      titleId: titleIds.get(groupId) ?? null,
    }));
}

function toFoundName(suggestion: Suggestion, titleOf: Found['titleOf']): FoundName[] {
  const { type, name, titleId, gameName, leaderboardId, leaderboards, entries } = suggestion;
  if (type === 'player') return [{ type, name, ...(leaderboards !== null && { leaderboards }) }];
  if (titleId === null) return [];
  if (leaderboardId === null) {
    return [{ type: 'game', titleId, name, publisher: titleOf(titleId)?.publisher ?? '' }];
  }
  return [{ type: 'leaderboard', titleId, leaderboardId, name, gameName: gameName ?? '', entries }];
}

function gameOf({ titleId, name, publisher }: GameMetadata): FoundName {
  return { type: 'game', titleId, name, publisher };
}

function distinct(names: readonly FoundName[]): FoundName[] {
  return [...new Map(names.toReversed().map((found) => [identityOf(found), found])).values()].toReversed();
}

/** Equal for the same player, game or leaderboard. */
export function identityOf(found: FoundName): string {
  if (found.type === 'player') return `player ${nameKey(found.name)}`;
  if (found.type === 'achievement') return `achievement ${found.id}`;
  return found.type === 'game' ? `game ${found.titleId}` : `leaderboard ${found.titleId} ${found.leaderboardId}`;
}
