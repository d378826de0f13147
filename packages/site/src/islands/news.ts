import type { BodyOf, StreamData, StreamTopic } from '@lobbystats/client';
import {
  EVENT_NOTICE_SECONDS,
  eventText,
  lobbyText,
  presenceText,
  rankText,
  recordText,
  unlockText,
  type NotificationText,
} from '@lobbystats/contracts/notification-texts';
import { isSame, type Target } from './browser-follows.ts';
import { pathOf } from './target-page.ts';
import { topicOf, type News } from './notices.ts';

type Follows = readonly Target[];
export type PublicEvent = BodyOf<'getEvent'>;

const TOPICS: Readonly<Record<Target['kind'], readonly StreamTopic[]>> = {
  game: ['matches', 'events'],
  leaderboard: ['changes'],
  // A new slot may have changed who is online.
  player: ['changes', 'unlocks', 'online'],
  event: ['events'],
};

/** Topics of the stream that tell of what is followed. */
export function topicsFor(follows: Follows): StreamTopic[] {
  return [...new Set(follows.flatMap(({ kind }) => TOPICS[kind]))].sort();
}

/** The news of an event of the stream. */
export function newsOf<Topic extends StreamTopic>(topic: Topic, data: StreamData[Topic], follows: Follows): News[] {
  const news = NEWS[topic]?.(data as never) ?? [];
  return news.filter(({ target }) => follows.some(isSame(target)));
}

const NEWS: { readonly [Topic in StreamTopic]?: (data: StreamData[Topic]) => News[] } = {
  matches: ({ titleId, gameName, hostName, currentPlayers, maxPlayers, state }) => {
    if (state !== 'open') return [];
    const game = { kind: 'game', id: titleId } as const;
    const lobby = { gameName: gameName === '' ? titleId : gameName, host: hostName };
    return [news(game, 'lobby', lobbyText({ ...lobby, players: currentPlayers, maxPlayers }))];
  },
  changes: (change) => {
    const { titleId, leaderboardId, playerName, newRank } = change;
    const ranks = news({ kind: 'player', id: playerName }, 'ranks', rankText(change));
    if (newRank !== 1 || !isBetter(change)) return [ranks];
    const board = { kind: 'leaderboard', id: `${titleId}:${leaderboardId}` } as const;
    return [ranks, news(board, 'records', recordText(change))];
  },
  unlocks: (unlock) => [news({ kind: 'player', id: unlock.username }, 'unlocks', unlockText(unlock))],
};

/** Neither a tie nor a reset, nor another spelling of the rating: those of a newcomer are not known here. */
function isBetter({ isTime, type, oldTimeMs, newTimeMs, oldRating, newRating }: StreamData['changes']): boolean {
  if (type === 'new') return true;
  if (isTime) return (newTimeMs ?? Infinity) < (oldTimeMs ?? 0);
  return numberIn(newRating) > numberIn(oldRating);
}

function numberIn(rating: string | null): number {
  return Number.parseFloat((rating ?? '').replaceAll(/[\s,'’]/g, ''));
}

/** @param game null: in none */
export function onlineNews(player: Target, game: string | null): News {
  return news(player, 'online', presenceText({ username: player.id, game }));
}

/** An event that is followed, or whose game is. */
export function isFollowedEvent({ id, title_id }: PublicEvent, follows: Follows): boolean {
  const ofGame = title_id !== null && follows.some(isSame({ kind: 'game', id: title_id }));
  return ofGame || follows.some(isSame({ kind: 'event', id: String(id) }));
}

/** Begins soon, and has not begun. @param now in milliseconds since 1970 */
export function beginsSoon({ starts_at }: PublicEvent, now: number): boolean {
  const startsAt = Date.parse(`${starts_at.replace(' ', 'T')}Z`);
  return startsAt > now && startsAt - EVENT_NOTICE_SECONDS * 1000 <= now;
}

/** An event that was moved begins again. */
export function eventNews({ id, title, game_name, starts_at }: PublicEvent): News {
  const text = eventText({ title, gameName: game_name, startsAt: starts_at });
  return { ...news({ kind: 'event', id: String(id) }, `begins ${starts_at}`, text), isOnce: true };
}

function news(target: Target, rule: string, text: NotificationText): News {
  return { ...text, target, topic: topicOf(target, rule), path: pathOf(target) };
}
