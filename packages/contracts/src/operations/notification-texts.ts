/** The words of notifications, which user-api sends and browsers show: without the schemas, which browsers do not load. */

import { plainText } from '../primitives/plain-text.ts';

/** At most one notification of a rule in this time; what happens meanwhile comes with the next one. */
export const NOTIFICATION_INTERVAL_SECONDS = 600;
/** How long before its start an event is announced. */
export const EVENT_NOTICE_SECONDS = 900;

/** A notification that is sent later than this after its news tells their time. */
export const LATE_SECONDS = 600;
/** How long it is news that somebody is online or has a lobby. */
export const EXPIRY_SECONDS = 1800;

/** Plain text: `title` is the same for all that a rule of one target tells, `item` tells one of them. */
export interface NotificationText {
  readonly title: string;
  readonly item: string;
}

/** The fields of a change of a leaderboard that its texts name. */
interface ChangedEntry {
  readonly leaderboardName: string;
  readonly gameName: string;
  readonly playerName: string;
  readonly newRating: string | null;
  readonly newRank: number | null;
  readonly oldRank: number | null;
}

/** @param lobby `maxPlayers` is 0 if it is not known */
export function lobbyText(lobby: {
  readonly gameName: string;
  readonly host: string;
  readonly players: number;
  readonly maxPlayers: number;
}): NotificationText {
  const { gameName, host, players, maxPlayers } = lobby;
  const size = maxPlayers > 0 ? `${players} of ${maxPlayers}` : String(players);
  return { title: plainText`Lobby in ${gameName}`, item: plainText`${host} has a lobby with ${size} players` };
}

export function recordText({ leaderboardName, gameName, playerName, newRating }: ChangedEntry): NotificationText {
  return {
    title: plainText`Record on ${leaderboardName} (${gameName})`,
    item: plainText`${playerName}: ${newRating ?? ''}`,
  };
}

export function rankText(entry: ChangedEntry): NotificationText {
  const { leaderboardName, gameName, playerName, newRating, newRank, oldRank } = entry;
  const from = oldRank === null ? 'is new' : `was ${oldRank}`;
  const place = newRank === null ? 'no longer listed' : `rank ${newRank}`;
  const score = newRating === null || newRating === '' ? '' : plainText`, ${newRating}`;
  const board = plainText`${leaderboardName} (${gameName})`;
  return { title: plainText`${playerName} on leaderboards`, item: `${board}: ${place}, ${from}${score}` };
}

export function presenceText({
  username,
  game,
}: {
  readonly username: string;
  readonly game: string | null;
}): NotificationText {
  return { title: plainText`${username} is online`, item: game === null ? 'In no game' : plainText`In ${game}` };
}

export function unlockText({
  username,
  achievementName,
}: {
  readonly username: string;
  readonly achievementName: string;
}): NotificationText {
  return { title: plainText`${username} unlocked an achievement`, item: plainText`${achievementName}` };
}

/** @param happenedAt timestamp of a response, UTC */
export function lateText(happenedAt: string, count: number): string {
  return count === 1 ? `This happened at ${happenedAt} UTC.` : `The newest happened at ${happenedAt} UTC.`;
}

/** @param event `startsAt` is a timestamp of a response, UTC */
export function eventText(event: {
  readonly title: string;
  readonly gameName: string;
  readonly startsAt: string;
}): NotificationText {
  const { title, gameName, startsAt } = event;
  return { title: plainText`${title} begins soon`, item: plainText`${gameName}, ${startsAt} UTC` };
}
