import type { EpochSeconds } from '@lobbystats/contracts';
import type { UserStore } from '../users/user-store.ts';
import { playerKey } from '../users/user-record.ts';
import type { Occurrence } from './follow-store.ts';
import { ownRankOccurrence, type TitleName } from './occurrences.ts';

interface RankChange {
  readonly gamertag: string;
  readonly titleId: string;
  readonly leaderboardId: number;
  readonly rank: number | null;
}

export interface RankMessage {
  readonly revision: number;
  readonly at: EpochSeconds;
  readonly ranks: readonly RankChange[];
}

function boardOf({ titleId, leaderboardId }: Pick<RankChange, 'titleId' | 'leaderboardId'>): string {
  return `${titleId}:${leaderboardId}`;
}

export function boardsOf(messages: readonly RankMessage[]): Set<string> {
  return new Set(messages.flatMap(({ ranks }) => ranks.map(boardOf)));
}

interface Names {
  /** Names of leaderboards by target. */
  readonly boards: Readonly<Record<string, string>>;
  readonly nameOf: TitleName;
}

/** Finds ranks of users that fell on followed leaderboards, compared with the stored ones. */
export async function fallenRanks(
  messages: readonly RankMessage[],
  followed: ReadonlySet<string>,
  store: Pick<UserStore, 'players' | 'usersByGamertag'>,
  { boards, nameOf }: Names,
): Promise<Occurrence[]> {
  const changes = messages
    .toSorted((one, other) => one.revision - other.revision)
    .flatMap(({ revision, at, ranks }) =>
      ranks.flatMap((change) => {
        const key = playerKey(change.gamertag);
        return key !== undefined && followed.has(boardOf(change)) ? [{ ...change, key, revision, at }] : [];
      }),
    );
  const keys = [...new Set(changes.map(({ key }) => key))];
  const [players, users] = await Promise.all([store.players(keys), store.usersByGamertag(keys)]);
  const found: Occurrence[] = [];
  const standings = new Map<string, { rank: number | null; revision: number }>();
  for (const { key, rank, revision, at, ...change } of changes) {
    const board = boardOf(change);
    const standing = `${board} ${key}`;
    const before = standings.get(standing) ?? players.get(key)?.standings.get(board);
    if (before !== undefined && before.revision >= revision) continue;
    standings.set(standing, { rank, revision });
    if (typeof before?.rank !== 'number' || (rank !== null && rank <= before.rank)) continue;
    for (const { key: userKey } of users.get(key) ?? []) {
      const own = { ...change, userKey, boardName: boards[board], before: before.rank, rank };
      found.push(ownRankOccurrence(own, nameOf, at, revision));
    }
  }
  return found;
}
