import type { BodyOf, StreamData, StreamTopic } from '@lobbystats/client';
import { eventNews, lobbyNews, presenceNews, rankNews, unlockNews, type FollowKind } from '@lobbystats/contracts/news';
import { isSame, keyOfTarget, type Target } from './browser-follows.ts';
import { pathOf } from './target-page.ts';
import type { News } from './notices.ts';

type Follows = readonly Target[];
export type PublicEvent = BodyOf<'getEvent'>;

const TOPICS: Readonly<Record<FollowKind, readonly StreamTopic[]>> = {
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

/** The news that an event of the stream tells by itself, if it is followed. */
export function newsOf<Topic extends StreamTopic>(topic: Topic, data: StreamData[Topic], follows: Follows): News[] {
  const told = NEWS[topic]?.(data as never);
  return told !== undefined && follows.some(isSame(told)) ? [noticeOf(told)] : [];
}

const NEWS: { readonly [Topic in StreamTopic]?: (data: StreamData[Topic]) => Told | undefined } = {
  matches: ({ titleId, gameName, hostName, currentPlayers, maxPlayers, state }) => {
    const lobby = { titleId, gameName: gameName === '' ? titleId : gameName, host: hostName, maxPlayers };
    return state === 'open' ? lobbyNews({ ...lobby, players: currentPlayers }) : undefined;
  },
  changes: rankNews,
  unlocks: unlockNews,
};

/** @param game null: in none */
export function onlineNews(player: Target, game: string | null): News {
  return noticeOf(presenceNews({ username: player.id, game }));
}

/** Undefined when neither the event nor its game is followed. An event that was moved has news again. */
export function newsOfEvent(
  { id, title, game_name, title_id, starts_at }: PublicEvent,
  follows: Follows,
): News | undefined {
  const event = { id, title, gameName: game_name, titleId: title_id, startsAt: starts_at };
  const [ofEvent, ...ofGame] = eventNews(event);
  const isFollowed = [ofEvent, ...ofGame].some((told) => told !== undefined && follows.some(isSame(told)));
  if (!isFollowed || ofEvent === undefined) return undefined;
  return { ...noticeOf({ ...ofEvent, rule: `begins ${starts_at}` }), isOnce: true };
}

interface Told extends Target {
  readonly rule: string;
  readonly title: string;
  readonly item: string;
}

export function noticeOf({ rule, title, item, ...target }: Told): News {
  return { title, item, target, topic: `${keyOfTarget(target)} ${rule}`, path: pathOf(target) };
}
