import { allMessages, serviceNames, type Exchange, type ServiceName } from '@lobbystats/contracts';
import { MAX_BACKOFF_MS } from '../consumer-settings.ts';
import { ANSWER_MS } from '../replicas.ts';

/** A queue: what RabbitMQ can't change later, and by `policy` what it can. */
interface QueueSpec {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string | boolean>>;
  readonly policy?: Readonly<Record<string, string | number>>;
}

const durable = { durable: true, auto_delete: false, arguments: {} } as const;

export const LOG = 'facts.log';
/** A stream whose first message is the log's id, since streams have no identity. */
export const LOG_IDENTITY = 'facts.log.identity';
/** `type` of the marker that keeps the log from being empty. */
export const LOG_MARKER = 'log.begin';

/** Routing key of a `<service>.retry` exchange for immediate redelivery. */
export const IMMEDIATE_KEY = 'now';

export const RETRY_DELAYS_MS = [100, 500, 1000, 2000, 4000, 8000, 16_000, MAX_BACKOFF_MS] as const;

/** The broker's delivery limit. High, since it also counts messages in flight beside a crashing one. */
const DELIVERY_LIMIT = 100;

export const topicExchanges: readonly Exchange[] = ['observations', 'facts', 'work'];

export const queuedServices: readonly ServiceName[] = serviceNames.filter((service) =>
  allMessages.some(({ consumers }) => consumers.includes(service)),
);

/** Services whose replicas share work: one leads and gives jobs to all. */
export const replicatedServices: readonly ServiceName[] = ['collector'];
export const replicasExchange = (service: ServiceName): string => `${service}.replicas`;
export const jobsQueue = (service: ServiceName): string => `${service}.jobs`;
/** Its single active consumer leads. */
export const repliesQueue = (service: ServiceName): string => `${service}.answers`;

export const retryExchange = (queue: ServiceName): string => `${queue}.retry`;
export const retryQueue = (queue: ServiceName, delayMs: number): string => `${queue}.retry.${delayMs}`;
export const deadLetterQueue = (queue: ServiceName): string => `${queue}.dead`;

/** The routing key of the smallest delay that covers the wait. */
export function retryKey(delayMs: number): string {
  if (delayMs <= 0) return IMMEDIATE_KEY;
  return String(RETRY_DELAYS_MS.find((ms) => ms >= delayMs) ?? MAX_BACKOFF_MS);
}

/** A pattern of exactly these names; it matches nothing for an empty list. */
export function exactPattern(names: readonly string[]): string {
  if (names.length === 0) return '^$';
  return `^(${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`;
}

/** Above the policies that operators usually set: RabbitMQ applies only one to a queue. */
const POLICY_PRIORITY = 100;

/**
 * The content of a vhost, in RabbitMQ's own format. Each consumed queue has a retry exchange, retry queues and a dead
 * letter queue; the policy of a queue has its name.
 */
export function definitions() {
  const queues = [...queuedServices.flatMap(queuesOf), ...logQueues, ...replicatedServices.flatMap(replicaQueuesOf)];
  const exchange = (type: 'topic' | 'direct' | 'fanout') => (name: string) => ({ ...durable, name, type });
  return {
    exchanges: [
      ...topicExchanges.map(exchange('topic')),
      ...queuedServices.map(retryExchange).map(exchange('direct')),
      ...queuedServices.map(deadLetterQueue).map(exchange('fanout')),
      ...replicatedServices.map(replicasExchange).map(exchange('direct')),
    ],
    queues: queues.map(({ name, arguments: fixed }) => ({ ...durable, name, arguments: fixed })),
    policies: queues.flatMap(({ name, policy }) =>
      policy === undefined
        ? []
        : {
            name,
            pattern: exactPattern([name]),
            'apply-to': 'queues',
            priority: POLICY_PRIORITY,
            definition: policy,
          },
    ),
    bindings: [
      ...queuedServices.flatMap(bindingsOf),
      ...replicatedServices.flatMap(replicaBindingsOf),
      bind('facts' satisfies Exchange, LOG, '#'),
    ],
  };
}

function bind(source: string, destination: string, key: string) {
  return { source, destination, destination_type: 'queue', routing_key: key, arguments: {} };
}

/** 7 days or 1 GB; the newest segment always stays. */
const logQueues: readonly QueueSpec[] = [
  {
    name: LOG,
    arguments: { 'x-queue-type': 'stream' },
    policy: { 'max-age': '7D', 'max-length-bytes': 1e9, 'stream-max-segment-size-bytes': 50e6 },
  },
  { name: LOG_IDENTITY, arguments: { 'x-queue-type': 'stream' } },
];

/** Quorum queues have two priorities: above 4, and the rest. */
export const PRIORITY = { live: 5, past: 1 } as const;

/** Order matters for these services. */
const singleActiveConsumerServices: ReadonlySet<ServiceName> = new Set(['series-api', 'catalog-api']);

const quorum = { 'x-queue-type': 'quorum' };
const singleActiveConsumer = { ...quorum, 'x-single-active-consumer': true };

function queuesOf(queue: ServiceName): QueueSpec[] {
  return [
    {
      name: queue,
      arguments: singleActiveConsumerServices.has(queue) ? singleActiveConsumer : quorum,
      policy: { ...deadLetteringTo(deadLetterQueue(queue)), 'delivery-limit': DELIVERY_LIMIT },
    },
    ...RETRY_DELAYS_MS.map((delayMs) => ({
      name: retryQueue(queue, delayMs),
      arguments: quorum,
      policy: {
        ...deadLetteringTo(retryExchange(queue)),
        'dead-letter-routing-key': IMMEDIATE_KEY,
        'message-ttl': delayMs,
      },
    })),
    // Inspection must not count towards the limit.
    { name: deadLetterQueue(queue), arguments: quorum, policy: { 'delivery-limit': -1 } },
  ];
}

/** At-least-once dead-lettering, which requires `reject-publish` overflow. */
function deadLetteringTo(exchange: string) {
  return { 'dead-letter-exchange': exchange, 'dead-letter-strategy': 'at-least-once', overflow: 'reject-publish' };
}

function bindingsOf(queue: ServiceName) {
  const messageTypes = allMessages.filter(({ consumers }) => consumers.includes(queue));
  const retry = retryExchange(queue);
  const dead = deadLetterQueue(queue);
  return [
    ...messageTypes.map(({ exchange, key }) => bind(exchange, queue, key)),
    bind(retry, queue, IMMEDIATE_KEY),
    ...RETRY_DELAYS_MS.map((ms) => bind(retry, retryQueue(queue, ms), String(ms))),
    bind(dead, dead, ''),
  ];
}

/** An older message is of no use: its job is given again, and a tick is sent each second. */
function replicaQueuesOf(service: ServiceName): QueueSpec[] {
  const policy = { 'message-ttl': ANSWER_MS };
  return [
    { name: jobsQueue(service), arguments: quorum, policy },
    { name: repliesQueue(service), arguments: singleActiveConsumer, policy },
  ];
}

function replicaBindingsOf(service: ServiceName) {
  return [jobsQueue(service), repliesQueue(service)].map((name) => bind(replicasExchange(service), name, name));
}
