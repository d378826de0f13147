/**
 * This file tells which facts are news of a followed subject, and words them: user-api notifies accounts, and browsers notify
 * readers without an account. It imports no schemas, as browsers do not load them.
 */

import { plainText } from '../primitives/plain-text.ts';

/** At most one notification of a rule in this time; what happens meanwhile comes with the next one. */
export const NOTIFICATION_INTERVAL_SECONDS = 600;
/** How long before its start an event is announced. */
export const EVENT_NOTICE_SECONDS = 900;

/** A notification that is sent later than this after its news tells their time. */
export const LATE_SECONDS = 600;
/** How long it is news that somebody is online or has a lobby. */
export const EXPIRY_SECONDS = 1800;

export const followKinds = ['game', 'leaderboard', 'player', 'event'] as const;
export type FollowKind = (typeof followKinds)[number];

/** Plain text: `title` is the same for all that a rule of one target tells, `item` tells one of them. */
interface News {
  readonly kind: FollowKind;
  /** ID of the followed subject. */
  readonly id: string;
  readonly rule: 'lobbyPlayers' | 'records' | 'ranks' | 'online' | 'unlocks' | 'events';
  readonly title: string;
  readonly item: string;
}

/** @param lobby `maxPlayers` is 0 if it is not known */
export function lobbyNews(lobby: {
  readonly titleId: string;
  readonly gameName: string;
  readonly host: string;
  readonly players: number;
  readonly maxPlayers: number;
}) {
  const { titleId, gameName, host, players, maxPlayers } = lobby;
  const size = maxPlayers > 0 ? `${players} of ${maxPlayers}` : String(players);
  return {
    ...{ kind: 'game', id: titleId, rule: 'lobbyPlayers' },
    title: plainText`Lobby in ${gameName}`,
    item: plainText`${host} has a lobby with ${size} players`,
  } as const satisfies News;
}

/** The fields of a change of a leaderboard that its news name. */
interface ChangedEntry {
  readonly titleId: string;
  readonly leaderboardId: number;
  readonly leaderboardName: string;
  readonly gameName: string;
  readonly playerName: string;
  readonly newRating: string | null;
  readonly newRank: number | null;
  readonly oldRank: number | null;
}

/** @param change a record */
export function recordNews(change: ChangedEntry) {
  const { titleId, leaderboardId, leaderboardName, gameName, playerName, newRating } = change;
  return {
    ...{ kind: 'leaderboard', id: `${titleId}:${leaderboardId}`, rule: 'records' },
    title: plainText`Record on ${leaderboardName} (${gameName})`,
    item: plainText`${playerName}: ${newRating ?? ''}`,
  } as const satisfies News;
}

export function rankNews({ leaderboardName, gameName, playerName, newRating, newRank, oldRank }: ChangedEntry) {
  const from = oldRank === null ? 'is new' : `was ${oldRank}`;
  const place = newRank === null ? 'no longer listed' : `rank ${newRank}`;
  const score = newRating === null || newRating === '' ? '' : plainText`, ${newRating}`;
  const board = plainText`${leaderboardName} (${gameName})`;
  return {
    ...{ kind: 'player', id: playerName, rule: 'ranks' },
    title: plainText`${playerName} on leaderboards`,
    item: `${board}: ${place}, ${from}${score}`,
  } as const satisfies News;
}

/** @param player `game` is null in none */
export function presenceNews({ username, game }: { readonly username: string; readonly game: string | null }) {
  return {
    ...{ kind: 'player', id: username, rule: 'online' },
    title: plainText`${username} is online`,
    item: game === null ? 'In no game' : plainText`In ${game}`,
  } as const satisfies News;
}

export function unlockNews({
  username,
  achievementName,
}: {
  readonly username: string;
  readonly achievementName: string;
}) {
  return {
    ...{ kind: 'player', id: username, rule: 'unlocks' },
    title: plainText`${username} unlocked an achievement`,
    item: plainText`${achievementName}`,
  } as const satisfies News;
}

/** The event has news, and so has its game. @param event `startsAt` is a timestamp of a response, UTC */
export function eventNews(event: {
  readonly id: number;
  readonly title: string;
  readonly gameName: string;
  readonly titleId: string | null;
  readonly startsAt: string;
}) {
  const { id, title, gameName, titleId, startsAt } = event;
  const text = {
    rule: 'events',
    title: plainText`${title} begins soon`,
    item: plainText`${gameName}, ${startsAt} UTC`,
  } as const;
  const ofEvent = { kind: 'event', id: String(id), ...text } as const satisfies News;
  return titleId === null ? [ofEvent] : [ofEvent, { kind: 'game', id: titleId, ...text } as const satisfies News];
}

/** Whether an event has not begun, but begins soon. Both times are epoch seconds. */
export function beginsSoon(startsAt: number, now: number): boolean {
  return startsAt > now && startsAt - EVENT_NOTICE_SECONDS <= now;
}

/** @param happenedAt timestamp of a response, UTC */
export function lateText(happenedAt: string, count: number): string {
  return count === 1 ? `This happened at ${happenedAt} UTC.` : `The newest happened at ${happenedAt} UTC.`;
}
