import {
  eventNews,
  followKey,
  formatTimestamp,
  lobbyNews,
  plainText,
  presenceNews,
  rankNews,
  recordNews,
  unlockNews,
  type Change,
  type EpochSeconds,
  type ObservedTitle,
  type RecentUnlock,
  parseInstant,
} from '@lobbystats/contracts';
import type { Occurrence } from './follow-store.ts';

/** The name of a game by its title ID; the ID while the name is unknown. */
export type TitleName = (titleId: string) => string;

const common = { crossed: null, userKey: null } as const;

/** The IDs of games, leaderboards and events are canonical in what is observed. */
function aboutTarget<News extends { id: string }>({ id, ...news }: News) {
  return { ...news, target: id };
}

interface LobbyGrowth {
  readonly titleId: string;
  readonly host: string;
  readonly startedAt: EpochSeconds;
  readonly peakBefore: number;
  readonly players: number;
  readonly maxPlayers: number;
}

export function lobbyOccurrence(lobby: LobbyGrowth, nameOf: TitleName, at: EpochSeconds): Occurrence {
  const { titleId, host, startedAt, peakBefore, players, maxPlayers } = lobby;
  return {
    ...common,
    id: `lobby ${titleId} ${startedAt} ${players} ${host}`,
    at,
    crossed: { low: peakBefore, high: players },
    ...aboutTarget(lobbyNews({ titleId, gameName: nameOf(titleId), host, players, maxPlayers })),
  };
}

export function onlineOccurrence(
  { titleId, online }: Pick<ObservedTitle, 'titleId' | 'online'>,
  before: number,
  nameOf: TitleName,
  at: EpochSeconds,
): Occurrence {
  return {
    ...common,
    id: `online ${titleId} ${at}`,
    at,
    ...{ kind: 'game', target: titleId, rule: 'onlineAbove' },
    crossed: { low: before - 1, high: online - 1 },
    title: plainText`${nameOf(titleId)} is busy`,
    item: `${online} players online`,
  };
}

export function boardOccurrence(
  { titleId, leaderboardId, name }: { titleId: string; leaderboardId: number; name: string },
  nameOf: TitleName,
  at: EpochSeconds,
): Occurrence {
  return {
    ...common,
    id: `board ${titleId} ${leaderboardId}`,
    at,
    ...{ kind: 'game', target: titleId, rule: 'newLeaderboards' },
    title: plainText`New leaderboard in ${nameOf(titleId)}`,
    item: plainText`${name}`,
  };
}

/** A record of the board, and a change of the player. */
export function changeOccurrences(change: Change, isRecord: boolean): Occurrence[] {
  const { id, playerName } = change;
  const at = parseInstant(change.changedAt);
  const found: Occurrence[] = [];
  if (isRecord) found.push({ ...common, id: `record ${id}`, at, ...aboutTarget(recordNews(change)) });
  const player = followKey('player', playerName);
  if (player !== undefined) {
    found.push({ ...common, id: `change ${id}`, at, ...aboutTarget(rankNews(change)), target: player });
  }
  return found;
}

export function presenceOccurrence(
  player: { username: string; game: string | null },
  target: string,
  at: EpochSeconds,
): Occurrence {
  return { ...common, id: `presence ${target} ${at}`, at, ...aboutTarget(presenceNews(player)), target };
}

/** Ranges of the IDs of what a player does, which also have those of players whose names begin alike. */
export function occurrenceRanges(target: string): { from: string; before: string; target: string }[] {
  return ['presence', 'unlock'].map((what) => ({ from: `${what} ${target} `, before: `${what} ${target}!`, target }));
}

export function unlockOccurrence({ username, achievementId, achievementName, unlockedAt }: RecentUnlock): Occurrence[] {
  const target = followKey('player', username);
  if (target === undefined) return [];
  return [
    {
      ...common,
      id: `unlock ${target} ${achievementId}`,
      at: parseInstant(unlockedAt),
      ...aboutTarget(unlockNews({ username, achievementName })),
      target,
    },
  ];
}

interface OwnRank {
  readonly userKey: string;
  readonly titleId: string;
  readonly leaderboardId: number;
  readonly boardName: string | undefined;
  readonly before: number;
  /** null: no longer on the board. */
  readonly rank: number | null;
}

export function ownRankOccurrence(
  { userKey, titleId, leaderboardId, boardName, before, rank }: OwnRank,
  nameOf: TitleName,
  at: EpochSeconds,
  revision: number,
): Occurrence {
  const place = rank === null ? 'You are no longer listed' : `You are rank ${rank}`;
  return {
    id: `rank ${titleId} ${leaderboardId} ${revision} ${userKey}`,
    at,
    ...{ kind: 'leaderboard', target: `${titleId}:${leaderboardId}`, rule: 'rankBelow' },
    crossed: { low: before - 1, high: rank === null ? Number.MAX_SAFE_INTEGER : rank - 1 },
    userKey,
    title: plainText`Your rank on ${boardName ?? 'a leaderboard'} (${nameOf(titleId)})`,
    item: `${place}, you were rank ${before}`,
  };
}

export interface UpcomingEvent {
  readonly id: number;
  readonly title: string;
  readonly gameName: string;
  readonly titleId: string | null;
  readonly startsAt: EpochSeconds;
  readonly endsAt: EpochSeconds | null;
}

/** Returns one of the event, and one of its game. */
export function eventOccurrences(event: UpcomingEvent, now: EpochSeconds): Occurrence[] {
  const { id, startsAt } = event;
  return eventNews({ ...event, startsAt: formatTimestamp(startsAt) }).map((news) => {
    const part = news.kind === 'game' ? ' game' : '';
    return { ...common, id: `event ${id} ${startsAt}${part}`, at: now, ...aboutTarget(news) };
  });
}
