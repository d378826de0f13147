import { z } from 'zod';
import { none, publicGet } from '../operations/fields.ts';
import { operation } from '../operations/operation.ts';
import { type StreamTopic, streamTopicNames } from './stream-topics.ts';

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

/** Not one of `operations`: the response has no end. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const streamEvents = operation({
  ...publicGet,
  id: 'streamEvents',
  summary: 'Live updates as server-sent events, by topic',
  path: '/api/stream',
  owner: 'gateway',
  params: none,
  query: z.object({
    topics,
    lastEventId: z.string({ error: 'must be given once' }).optional().meta({
      description: 'Continues after the event with this id; the header Last-Event-ID has precedence',
    }),
  }),
  response: z.string(),
  mediaType: 'text/event-stream',
  freshFor: 'never',
  tags: () => [],
});

function isTopic(name: string): name is StreamTopic {
  return (streamTopicNames as string[]).includes(name);
}
