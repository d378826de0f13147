import { allMessages, serviceNames, type Exchange, type ServiceName } from '@lobbystats/contracts';

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
export const AT_ONCE = 'now';

/** Milliseconds. Longer waits are composed. */
export const RETRY_LADDER_MS = [100, 500, 1000, 2000, 4000, 8000, 16_000, 30_000] as const;

/** The broker's delivery limit. High, since messages in flight beside a crashing one count too. */
const DELIVERY_LIMIT = 100;

export const topicExchanges: readonly Exchange[] = ['observations', 'facts', 'work'];

export const queuedServices: readonly ServiceName[] = serviceNames.filter((service) =>
  allMessages.some(({ consumers }) => consumers.includes(service)),
);

export const retryExchange = (service: ServiceName): string => `${service}.retry`;
export const retryQueue = (service: ServiceName, delayMs: number): string => `${service}.retry.${delayMs}`;
export const deadLetters = (service: ServiceName): string => `${service}.dead`;

/** The smallest rung not below a wait, and the remainder. */
export function rungOf(delayMs: number): { rung: string; remainingMs: number } {
  if (delayMs <= 0) return { rung: AT_ONCE, remainingMs: 0 };
  const longest = RETRY_LADDER_MS[RETRY_LADDER_MS.length - 1] ?? 0;
  const rung = RETRY_LADDER_MS.find((ms) => ms >= delayMs) ?? longest;
  return { rung: String(rung), remainingMs: Math.max(delayMs - rung, 0) };
}

export function topology(): Topology {
  return {
    exchanges: [
      ...topicExchanges.map((name) => ({ name, type: 'topic' as const })),
      ...queuedServices.flatMap((service) => [
        { name: retryExchange(service), type: 'direct' as const },
        { name: deadLetters(service), type: 'fanout' as const },
      ]),
    ],
    queues: [...queuedServices.flatMap(queuesOf), ...logQueues],
    bindings: [
      ...queuedServices.flatMap(bindingsOf),
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
const oneAtATime: ReadonlySet<ServiceName> = new Set(['series-api', 'catalog-api']);

function queuesOf(service: ServiceName): QueueSpec[] {
  return [
    {
      name: service,
      arguments: {
        ...quorum,
        ...deadLettering(deadLetters(service)),
        'x-delivery-limit': DELIVERY_LIMIT,
        ...(oneAtATime.has(service) && { 'x-single-active-consumer': true }),
      },
    },
    ...RETRY_LADDER_MS.map((delayMs) => ({
      name: retryQueue(service, delayMs),
      arguments: {
        ...quorum,
        ...deadLettering(retryExchange(service)),
        'x-dead-letter-routing-key': AT_ONCE,
        'x-message-ttl': delayMs,
      },
    })),
    // Inspection must not count towards the limit.
    { name: deadLetters(service), arguments: { ...quorum, 'x-delivery-limit': -1 } },
  ];
}

const quorum = { 'x-queue-type': 'quorum' };

/** At-least-once dead-lettering, which requires `reject-publish` overflow. */
function deadLettering(exchange: string): QueueSpec['arguments'] {
  return {
    'x-dead-letter-exchange': exchange,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  };
}

function bindingsOf(service: ServiceName): BindingSpec[] {
  const wanted = allMessages.filter(({ consumers }) => consumers.includes(service));
  const retry = retryExchange(service);
  const dead = deadLetters(service);
  return [
    ...wanted.map(({ exchange, key }) => ({ source: exchange, destination: service, routingKey: key })),
    { source: retry, destination: service, routingKey: AT_ONCE },
    ...RETRY_LADDER_MS.map((ms) => ({ source: retry, destination: retryQueue(service, ms), routingKey: String(ms) })),
    { source: dead, destination: dead, routingKey: '' },
  ];
}
