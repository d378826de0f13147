import { allMessages, serviceNames, type Exchange, type ServiceName } from '@lobbystats/contracts';
import { JOB_TTL_MS } from '../replicas.ts';

export interface QueueSpec {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string | number | boolean>>;
}

interface ExchangeSpec {
  readonly name: string;
  readonly type: 'topic' | 'direct' | 'fanout';
}

interface BindingSpec {
  readonly source: string;
  readonly destination: string;
  readonly routingKey: string;
}

export interface Topology {
  readonly exchanges: readonly ExchangeSpec[];
  readonly queues: readonly QueueSpec[];
  readonly bindings: readonly BindingSpec[];
}

export const LOG = 'facts.log';
/** A stream whose first message is the log's id, since streams have no identity. */
export const LOG_IDENTITY = 'facts.log.identity';
/** `type` of the marker that keeps the log from being empty. */
export const LOG_MARKER = 'log.begin';

/** Routing key of a `<service>.retry` exchange for immediate redelivery. */
export const IMMEDIATE_KEY = 'now';

/** A longer delay passes through several retry queues. */
export const RETRY_DELAYS_MS = [100, 500, 1000, 2000, 4000, 8000, 16_000, 30_000] as const;

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
/** A queue whose name is an argument of the jobs queue in stacks of version 0.1.0. RabbitMQ never changes arguments. */
export const repliesQueue = (service: ServiceName): string => `${service}.answers`;

export const retryExchange = (queue: ServiceName): string => `${queue}.retry`;
export const retryQueue = (queue: ServiceName, delayMs: number): string => `${queue}.retry.${delayMs}`;
export const deadLetterQueue = (queue: ServiceName): string => `${queue}.dead`;

/** Returns the key of the smallest delay that covers the wait, and the remaining wait beyond the largest. */
export function splitRetryDelay(delayMs: number): { rung: string; remainingMs: number } {
  if (delayMs <= 0) return { rung: IMMEDIATE_KEY, remainingMs: 0 };
  const longest = RETRY_DELAYS_MS[RETRY_DELAYS_MS.length - 1] ?? 0;
  const rung = RETRY_DELAYS_MS.find((ms) => ms >= delayMs) ?? longest;
  return { rung: String(rung), remainingMs: Math.max(delayMs - rung, 0) };
}

/** `found`: a binding as the management API describes it. */
export function isSameBinding(
  { source, destination, routingKey }: BindingSpec,
  found: { source: string; destination: string; routing_key: string },
): boolean {
  return found.source === source && found.destination === destination && found.routing_key === routingKey;
}

/** Each consumed queue has a retry exchange, retry queues and a dead letter queue. */
export function topology(): Topology {
  return {
    exchanges: [
      ...topicExchanges.map((name) => ({ name, type: 'topic' as const })),
      ...queuedServices.flatMap((queue) => [
        { name: retryExchange(queue), type: 'direct' as const },
        { name: deadLetterQueue(queue), type: 'fanout' as const },
      ]),
      ...replicatedServices.map((service) => ({ name: replicasExchange(service), type: 'direct' as const })),
    ],
    queues: [...queuedServices.flatMap(queuesOf), ...logQueues, ...replicatedServices.flatMap(replicaQueuesOf)],
    bindings: [
      ...queuedServices.flatMap(bindingsOf),
      ...replicatedServices.flatMap(replicaBindingsOf),
      { source: 'facts' satisfies Exchange, destination: LOG, routingKey: '#' },
    ],
  };
}

/** 7 days or 1 GB; the newest segment always stays. */
const logQueues: readonly QueueSpec[] = [
  {
    name: LOG,
    arguments: {
      'x-queue-type': 'stream',
      'x-max-age': '7D',
      'x-max-length-bytes': 1e9,
      'x-stream-max-segment-size-bytes': 50e6,
    },
  },
  { name: LOG_IDENTITY, arguments: { 'x-queue-type': 'stream' } },
];

/** Quorum queues have two priorities: above 4, and the rest. */
export const PRIORITY = { live: 5, past: 1 } as const;

/** Single active consumer: order matters for these services. */
const singleActiveConsumerServices: ReadonlySet<ServiceName> = new Set(['series-api', 'catalog-api']);

function queuesOf(queue: ServiceName): QueueSpec[] {
  return [
    {
      name: queue,
      arguments: {
        ...quorumArguments,
        ...deadLetterArguments(deadLetterQueue(queue)),
        'x-delivery-limit': DELIVERY_LIMIT,
        ...(singleActiveConsumerServices.has(queue) && { 'x-single-active-consumer': true }),
      },
    },
    ...RETRY_DELAYS_MS.map((delayMs) => ({
      name: retryQueue(queue, delayMs),
      arguments: {
        ...quorumArguments,
        ...deadLetterArguments(retryExchange(queue)),
        'x-dead-letter-routing-key': IMMEDIATE_KEY,
        'x-message-ttl': delayMs,
      },
    })),
    // Inspection must not count towards the limit.
    { name: deadLetterQueue(queue), arguments: { ...quorumArguments, 'x-delivery-limit': -1 } },
  ];
}

const quorumArguments = { 'x-queue-type': 'quorum' };

/** The rest of a stopped group is of no use. */
const REPLY_TTL_MS = 10_000;

/** The single active consumer of the replies leads. */
function replicaQueuesOf(service: ServiceName): QueueSpec[] {
  return [
    {
      name: jobsQueue(service),
      arguments: {
        ...quorumArguments,
        'x-message-ttl': JOB_TTL_MS,
        // The leader learns which jobs were lost.
        'x-dead-letter-exchange': replicasExchange(service),
        'x-dead-letter-routing-key': repliesQueue(service),
      },
    },
    {
      name: repliesQueue(service),
      arguments: { ...quorumArguments, 'x-message-ttl': REPLY_TTL_MS, 'x-single-active-consumer': true },
    },
  ];
}

function replicaBindingsOf(service: ServiceName): BindingSpec[] {
  const source = replicasExchange(service);
  return [jobsQueue(service), repliesQueue(service)].map((name) => ({ source, destination: name, routingKey: name }));
}

/** At-least-once dead-lettering, which requires `reject-publish` overflow. */
function deadLetterArguments(exchange: string): QueueSpec['arguments'] {
  return {
    'x-dead-letter-exchange': exchange,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  };
}

function bindingsOf(queue: ServiceName): BindingSpec[] {
  const messageTypes = allMessages.filter(({ consumers }) => consumers.includes(queue));
  const retry = retryExchange(queue);
  const dead = deadLetterQueue(queue);
  return [
    ...messageTypes.map(({ exchange, key }) => ({ source: exchange, destination: queue, routingKey: key })),
    { source: retry, destination: queue, routingKey: IMMEDIATE_KEY },
    ...RETRY_DELAYS_MS.map((ms) => ({ source: retry, destination: retryQueue(queue, ms), routingKey: String(ms) })),
    { source: dead, destination: dead, routingKey: '' },
  ];
}
