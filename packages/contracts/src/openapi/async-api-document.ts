import { allMessages, envelope, webhookHeaders, webhookMessages, type Exchange, type MessageType } from '../index.ts';
import { z } from 'zod';

const exchanges: Record<Exchange, string> = {
  observations: 'Read from the network.',
  facts: 'Committed changes; gateways read them from the stream queue `facts.log`.',
  work: 'Jobs of a service for its own replicas.',
};

const DESCRIPTION = `Messages of the distributed form, on RabbitMQ; the one-process form passes the same envelopes. Each service has one queue of its
name, and a message is delivered at least once. The tag of a channel is its topic exchange.

The channel \`webhook\` is public: what is posted to the webhooks of users, once more if it fails, with the same \`webhook-id\`.`;

/** The messages as AsyncAPI 3. `example` data is what tests publish. */
export function asyncApiDocument() {
  return withNamedSchemas({
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
      webhook: {
        host: 'hooks.example.org',
        protocol: 'https',
        description: 'The host of a webhook that a user has added',
      },
    },
    channels: {
      ...Object.fromEntries(allMessages.map((message) => [message.key, channelOf(message)])),
      webhook: WEBHOOK,
    },
    operations: {
      ...Object.fromEntries(allMessages.flatMap(operationsOf)),
      'user-api.post.webhook': {
        action: 'send',
        description: 'user-api delivers the messages of a channel one after the other.',
        channel: { $ref: '#/channels/webhook' },
        bindings: { http: { method: 'POST' } },
      },
    },
    components: {
      schemas: { envelope: jsonSchemaOf(envelope) },
      messages: {
        ...Object.fromEntries(allMessages.map((message) => [message.key, messageOf(message)])),
        ...Object.fromEntries(webhookTypes.map((type) => [webhookKey(type), webhookMessageOf(type)])),
      },
      messageTraits: { properties: { bindings: { amqp: { contentEncoding: 'utf-8' } }, headers: HEADERS } },
    },
  });
}

/** Moves the named schemas that a payload refers to into the components. */
function withNamedSchemas<Document extends { components: { schemas: object } }>(document: Document): Document {
  const named: Record<string, unknown> = {};
  const text = JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/');
  const result = JSON.parse(text, (key, json: unknown) => {
    if (key !== '$defs') return json;
    Object.assign(named, json);
    return undefined;
  }) as Document;
  Object.assign(result.components.schemas, named);
  return result;
}

type WebhookType = keyof typeof webhookMessages;
const webhookTypes = Object.keys(webhookMessages) as WebhookType[];
const webhookKey = (type: WebhookType) => `webhook.${type}`;

const WEBHOOK = {
  address: null,
  summary: 'The URL of a webhook of a user.',
  servers: [{ $ref: '#/servers/webhook' }],
  messages: Object.fromEntries(
    webhookTypes.map(webhookKey).map((key) => [key, { $ref: `#/components/messages/${key}` }]),
  ),
};

function webhookMessageOf(type: WebhookType) {
  const { summary, body, example } = webhookMessages[type];
  const payload = { type, timestamp: ENVELOPE.occurredAt, data: example };
  return {
    ...{ name: type, title: type, summary, contentType: 'application/json', headers: jsonSchemaOf(webhookHeaders) },
    payload: jsonSchemaOf(body),
    examples: [{ name: type, payload }],
  };
}

/** Beside these, each message has the AMQP properties `messageId`, `contentType`, `type`, `timestamp` and `appId`. */
const HEADERS = {
  type: 'object',
  properties: {
    'x-attempt': { type: 'integer', minimum: 2, description: 'Number of this attempt; absent: the first one' },
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

/** The document names its dialect once; `$schema` would repeat it. Readers ignore fields that they do not know. */
function jsonSchemaOf(schema: z.ZodType) {
  const open = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  };
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: open });
  return json;
}
