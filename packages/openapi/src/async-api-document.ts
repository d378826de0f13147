import { allMessages, envelope, type Exchange, type MessageType } from '@lobbystats/contracts';
import { z } from 'zod';

const exchanges: Record<Exchange, string> = {
  observations: 'Read from the network.',
  facts: 'Committed changes; gateways read them from the stream queue `facts.log`.',
  work: 'Jobs of a service for its own replicas.',
};

const DESCRIPTION = `Messages of the distributed form, on RabbitMQ; the one-process form passes the same envelopes. Each service has one queue of its
name, and a message is delivered at least once. The tag of a channel is its topic exchange.`;

/** The messages as AsyncAPI 3. `example` data is what tests publish. */
export function asyncApiDocument() {
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Lobbystats messages',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'UNLICENSED' },
      tags: Object.entries(exchanges).map(([name, description]) => ({ name, description })),
    },
    defaultContentType: 'application/json',
    servers: {
      rabbitmq: { host: 'rabbitmq:5672', protocol: 'amqp', description: 'The RabbitMQ of docker-compose.yml' },
    },
    channels: Object.fromEntries(allMessages.map((message) => [message.key, channelOf(message)])),
    operations: Object.fromEntries(allMessages.flatMap(operationsOf)),
    components: {
      schemas: { envelope: jsonSchemaOf(envelope) },
      messages: Object.fromEntries(allMessages.map((message) => [message.key, messageOf(message)])),
      messageTraits: { properties: { bindings: { amqp: { contentEncoding: 'utf-8' } }, headers: HEADERS } },
    },
  };
}

/** Beside these, each message has the AMQP properties `messageId`, `contentType`, `type`, `timestamp` and `appId`. */
const HEADERS = {
  type: 'object',
  properties: {
    'x-attempt': { type: 'integer', minimum: 2, description: 'Number of this attempt; absent: the first one' },
    'x-remaining-ms': { type: 'integer', description: 'Rest of a delay before the next attempt, in milliseconds' },
    'x-expires-at-ms': { type: 'integer', description: 'Dropped after this time, in epoch milliseconds' },
  },
};

function channelOf({ key, exchange, summary }: MessageType) {
  return {
    address: key,
    summary,
    tags: [{ name: exchange }],
    messages: { [key]: { $ref: `#/components/messages/${key}` } },
    bindings: {
      amqp: { is: 'routingKey', exchange: { name: exchange, type: 'topic', durable: true, autoDelete: false } },
    },
  };
}

function operationsOf({ key, summary, producer, consumers, ordered = false }: MessageType): [string, object][] {
  const about = { channel: { $ref: `#/channels/${key}` }, messages: [{ $ref: `#/channels/${key}/messages/${key}` }] };
  const order = ordered ? ' In the order of publication.' : '';
  return [
    [`${producer}.send.${key}`, { action: 'send', description: `${producer} publishes: ${summary}`, ...about }],
    ...consumers.map((consumer): [string, object] => [
      `${consumer}.receive.${key}`,
      { action: 'receive', description: `${consumer} consumes it from its queue.${order}`, ...about },
    ]),
  ];
}

function messageOf({ key, version, producer, summary, data, example, tags, purges }: MessageType) {
  return {
    name: key,
    title: key,
    summary,
    contentType: 'application/json',
    traits: [{ $ref: '#/components/messageTraits/properties' }],
    bindings: { amqp: { messageType: key } },
    'x-app-id': producer,
    'x-cache-tags': tags(data.parse(example)),
    ...(purges === true && { 'x-purges': true }),
    payload: {
      allOf: [
        { $ref: '#/components/schemas/envelope' },
        {
          type: 'object',
          properties: { type: { const: key }, version: { const: version }, data: jsonSchemaOf(data) },
        },
      ],
    },
    examples: [{ name: key, payload: { ...ENVELOPE, type: key, version, data: example } }],
  };
}

const ENVELOPE = {
  id: '2f6a7f2e-8f0c-4a8e-9a53-0c4f1f7f5d10',
  occurredAt: '2027-01-15T08:00:00Z',
  origin: 'simulated',
  past: false,
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};

/** The document names its dialect once; `$schema` would repeat it. */
function jsonSchemaOf(schema: z.ZodType) {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
}
