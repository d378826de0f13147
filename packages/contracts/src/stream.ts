import { z } from 'zod';
import { backfillProgressed } from './messages/backfill-messages.ts';
import { changeRecorded } from './messages/board-messages.ts';
import { eventStored } from './messages/event-messages.ts';
import { nowChanged } from './messages/facts.ts';
import { achievementUnlocked, profileUpdated } from './messages/user-messages.ts';
import { recentUnlock } from './operations/achievements.ts';
import { change } from './operations/changes.ts';
import { publicEvent } from './operations/events.ts';
import { count, gameName, matchIdField, maxPlayers, none, publicGet } from './operations/fields.ts';
import { now } from './operations/now.ts';
import { operation } from './operations/operation.ts';
import { playerNames, SEARCH_PLAYERS_MAX } from './operations/search.ts';
import { backfillProgress } from './operations/status.ts';
import { canonicalUsername, isTitleId, titleId } from './primitives/keys.ts';
import { timestamp } from './primitives/time.ts';

/** `event` is the topic's name, `data` JSON of this schema. */
interface StreamTopicType<Data extends z.ZodType = z.ZodType> {
  readonly summary: string;
  readonly data: Data;
  readonly example: z.input<Data>;
}

export const streamTopics = {
  online: topicType({
    summary: 'Counts of a new 5-minute slot: users online and open lobbies.',
    data: z.strictObject({
      slot: timestamp.meta({ description: 'The slot, UTC' }),
      online: count,
      lobbies: count.nullable().meta({ description: 'null if some pages of the network could not be read' }),
    }),
    example: { slot: '2026-01-31 18:05:00', online: 312, lobbies: 41 },
  }),
  matches: topicType({
    summary:
      'A match has been opened or is over. What an outage of more than an hour hides is not told: its matches are over, and those of the first slot after it are not sent.',
    data: z.strictObject({
      titleId,
      gameName,
      hostName: z.string(),
      currentPlayers: count,
      maxPlayers,
      state: z.enum(['open', 'closed']),
      timestamp: timestamp.meta({ description: 'The slot in which it was seen first or, where it is closed, last' }),
      id: matchIdField,
    }),
    example: {
      titleId: '4d530064',
      gameName: 'Harbor Racing',
      hostName: 'Ember Fox',
      currentPlayers: 2,
      maxPlayers: 8,
      state: 'closed',
      timestamp: '2026-01-31 17:50:00',
      id: '4d530064-1769880000-Ember Fox',
    },
  }),
  changes: topicType({
    summary: 'An entry of a leaderboard is new, has changed or was removed.',
    data: change,
    example: first(changeRecorded.example.changes),
  }),
  unlocks: topicType({
    summary: 'A user has unlocked an achievement. A hidden one is not named.',
    data: recentUnlock,
    example: first(achievementUnlocked.example.unlocks),
  }),
  events: topicType({
    summary: 'An event is new or has changed.',
    data: publicEvent,
    example: first(eventStored.example.events),
  }),
  ratings: topicType({
    summary: 'A profile’s ratings have changed.',
    data: z.strictObject({ username: canonicalUsername, average: z.number(), ratingCount: count }),
    example: { username: 'EmberFox', average: 4.82, ratingCount: 7 },
  }),
  profiles: topicType({
    summary: 'A user has changed their profile.',
    data: profileUpdated.data,
    example: profileUpdated.example,
  }),
  now: topicType({
    summary: 'The network at a new 5-minute slot, as `/api/now` shows it.',
    data: now,
    example: nowChanged.example,
  }),
  backfill: topicType({
    summary: 'The backfill of a part has progressed, as `/api/status` shows it.',
    data: backfillProgress,
    example: backfillProgressed.example,
  }),
} as const;

export type StreamTopic = keyof typeof streamTopics;

export type StreamData<Topic extends StreamTopic = StreamTopic> = z.input<(typeof streamTopics)[Topic]['data']>;

/** In the order of the documents. */
export const streamTopicNames = Object.keys(streamTopics) as StreamTopic[];

function topicType<Data extends z.ZodType>(type: StreamTopicType<Data>): StreamTopicType<Data> {
  return Object.freeze(type);
}

function first<Element>(elements: readonly Element[]): Element {
  const [element] = elements;
  if (element === undefined) throw new Error('The example is empty');
  return element;
}

/** Interval of SSE comments. */
export const STREAM_HEARTBEAT_SECONDS = 15;
/** At least this many of the newest events can be resumed by id. */
export const STREAM_RESUMABLE_EVENTS = 1000;
/** Event name: events may have been lost, so clients must reload. Its data is `{}`. */
export const STREAM_RESET = 'reset';

const topicsMessage = `must be one or more of ${streamTopicNames.join(', ')}, separated by commas`;

const topics = z
  .string({ error: topicsMessage })
  .transform((text) => text.split(','))
  .refine((names): names is StreamTopic[] => names.every(isTopic), topicsMessage)
  .default(streamTopicNames)
  .meta({ type: 'string', description: 'Topics, separated by commas. Default: all', example: 'online,changes' });

const STREAM_TITLES_MAX = 20;
const TITLES_MESSAGE = `must be 1 to ${STREAM_TITLES_MAX} title IDs, separated by commas`;

/** Not one of `operations`: the response has no end. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const streamEvents = operation({
  ...publicGet,
  id: 'streamEvents',
  summary: 'Live updates as server-sent events, by topic',
  path: '/api/stream',
  group: 'Live',
  upstream: 'gateway',
  params: none,
  query: z.object({
    topics,
    names: playerNames.optional().meta({
      type: 'string',
      description: `Of the events that name a user, player or host, only those of up to ${SEARCH_PLAYERS_MAX} names, separated by commas`,
      example: 'EmberFox,Ember Fox',
    }),
    titleId: z
      .string({ error: TITLES_MESSAGE })
      .transform((text) => text.toLowerCase().split(','))
      .refine((ids) => ids.length <= STREAM_TITLES_MAX && ids.every(isTitleId), TITLES_MESSAGE)
      .optional()
      .meta({
        type: 'string',
        description: `Of the events that are of a game, only those of up to ${STREAM_TITLES_MAX} title IDs, separated by commas`,
        example: '4d530064',
      }),
    lastEventId: z.string({ error: 'must be given once' }).optional().meta({
      description: 'Continues after the event with this id; the header Last-Event-ID has precedence',
    }),
  }),
  response: z.string(),
  mediaType: 'text/event-stream',
  tags: [],
});

function isTopic(name: string): name is StreamTopic {
  return (streamTopicNames as string[]).includes(name);
}
