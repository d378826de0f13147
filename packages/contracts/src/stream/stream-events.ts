import { z } from 'zod';
import { operation } from '../operations/operation.ts';
import { none } from '../operations/title-fields.ts';
import { streamTopicNames, type StreamTopic } from './stream-topics.ts';

/** A comment is sent to every reader at least so often, in seconds. */
export const STREAM_HEARTBEAT_SECONDS = 15;
/** So many of the newest events, at least, can be had again by the id of the event before them. */
export const STREAM_RESUMABLE_EVENTS = 1000;
/** The `event` that says: others may have been missed, read anew what you show. Its data is `{}`. */
export const STREAM_RESET = 'reset';

const topicsMessage = `must be one or more of ${streamTopicNames.join(', ')}, separated by commas`;

const topics = z
  .string({ error: topicsMessage })
  .transform((text) => text.split(','))
  .refine((names): names is StreamTopic[] => names.every(isTopic), topicsMessage)
  .default(streamTopicNames)
  .meta({ type: 'string', description: 'Topics, separated by commas. Default: all', example: 'online,changes' });

/**
 * The live stream: server-sent events, https://html.spec.whatwg.org/multipage/server-sent-events.html. It isn't one of
 * `operations`: no service mounts it as a question with an answer, and it has no end.
 */
export const streamEvents = operation({
  id: 'streamEvents',
  summary: 'What happens, as it happens: server-sent events of the topics asked for',
  method: 'GET',
  path: '/api/stream',
  owner: 'gateway',
  audience: 'public',
  session: 'none',
  params: none,
  query: z.object({
    topics,
    lastEventId: z.string({ error: 'must be given once' }).optional().meta({
      description: 'Goes on after the event of this id, as the header Last-Event-ID does, which comes first',
    }),
  }),
  answer: z.string(),
  mediaType: 'text/event-stream',
  freshFor: 'never',
  tags: () => [],
});

function isTopic(name: string): name is StreamTopic {
  return (streamTopicNames as string[]).includes(name);
}
