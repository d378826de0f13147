import {
  nameOf,
  STREAM_HEARTBEAT_SECONDS,
  STREAM_RESET,
  STREAM_RESUMABLE_EVENTS,
  streamEvents,
  streamTopics,
  type StreamTopic,
} from '../index.ts';
import type { OperationObject, PathItem } from './document-types.ts';
import { headersOf, errorResponsesOf } from './responses.ts';
import { parametersOf } from './parameters.ts';
import { type JsonSchema, jsonSchemaOf, SCHEMAS } from './schemas.ts';

const topics = Object.entries(streamTopics) as [StreamTopic, (typeof streamTopics)[StreamTopic]][];

export const streamSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  topics
    .filter(([, { data }]) => nameOf(data) === undefined)
    .map(([topic, { summary, data }]) => [ownName(topic), { ...jsonSchemaOf(data, 'output'), description: summary }]),
);

export const streamPath: Readonly<Record<string, PathItem>> = {
  [streamEvents.path]: { get: streamOperation() },
};

function streamOperation(): OperationObject {
  return {
    operationId: streamEvents.id,
    summary: streamEvents.summary,
    description: [
      'Server-sent events, as `EventSource` reads them: `event` is the topic, `data` is JSON, `id` is opaque. Backfill and repairs are not streamed.',
      `After an interruption the stream resumes: browsers send \`Last-Event-ID\` automatically, a reloaded page passes \`lastEventId\`. At least the last ${STREAM_RESUMABLE_EVENTS} events can be resumed, at any gateway. Otherwise \`event: ${STREAM_RESET}\` comes first: read the state again.`,
      "A response that is read again after an event has that event. One with a `max-age` may come from the reader’s own cache, some seconds older than the slot of the event: ask with `Cache-Control: no-cache` (`cache: 'no-cache'` of `fetch`).",
      `A comment comes every ${STREAM_HEARTBEAT_SECONDS} seconds. A client that reads too slowly is disconnected, and can resume by the last id.`,
      ['| Topic | Tells | Data |', '| --- | --- | --- |', ...topics.map(tableRow)].join('\n'),
    ].join('\n\n'),
    tags: [streamEvents.group],
    parameters: [
      ...parametersOf(streamEvents, streamEvents.path, undefined),
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'Continues after the event with this id; browsers send it automatically',
        schema: { type: 'string' },
      },
    ],
    responses: {
      '200': {
        description: 'The stream; it has no end',
        headers: headersOf('Cache-Control'),
        content: {
          'text/event-stream': {
            schema: {
              type: 'string',
              description: 'The data of each topic’s events stands in `x-event-data`',
              'x-event-data': Object.fromEntries(topics.map(([topic]) => [topic, { $ref: referenceTo(topic) }])),
            },
            examples: Object.fromEntries(
              topics.map(([topic, { example }]) => [topic, { value: frame(topic, example) }]),
            ),
          },
        },
      },
      ...errorResponsesOf(streamEvents, streamEvents.path),
    },
  };
}

function tableRow([topic, { summary }]: (typeof topics)[number]): string {
  return `| \`${topic}\` | ${summary} | \`${referenceTo(topic).slice(SCHEMAS.length)}\` |`;
}

function referenceTo(topic: StreamTopic): string {
  return SCHEMAS + streamSchemaName(topic);
}

export function streamSchemaName(topic: StreamTopic): string {
  return nameOf(streamTopics[topic].data) ?? ownName(topic);
}

function ownName(topic: StreamTopic): string {
  return `Stream${topic.charAt(0).toUpperCase()}${topic.slice(1)}`;
}

function frame(topic: StreamTopic, data: unknown): string {
  return `event: ${topic}\nid: 1-42\ndata: ${JSON.stringify(data)}\n\n`;
}
