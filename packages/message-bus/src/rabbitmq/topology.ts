import { allMessages, serviceNames, type Exchange, type ServiceName } from '@lobbystats/contracts';

/** A queue with the arguments that it must have. */
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

/** All that has to be in a vhost. */
export interface Topology {
  readonly exchanges: readonly ExchangeSpec[];
  readonly queues: readonly QueueSpec[];
  readonly bindings: readonly BindingSpec[];
}

/** The stream that has every fact. */
export const LOG = 'facts.log';
/** A stream whose first message is the log's id: streams have no identity of their own that a client could read. */
export const LOG_IDENTITY = 'facts.log.identity';
/** The `type` property of what is in the log so that it is never empty, and is no fact. */
export const LOG_MARKER = 'log.begin';

/** What comes to a `<service>.retry` exchange under this key goes to the service's queue at once. */
export const AT_ONCE = 'now';

/** The waits before another attempt, in milliseconds. Longer ones are made of several. */
export const RETRY_LADDER_MS = [100, 500, 1000, 2000, 4000, 8000, 16_000, 30_000] as const;

/**
 * Unanswered deliveries before the broker itself makes a dead letter. Generous, because also those in hand beside a
 * deadly message, and those that a stopping consumer gives back, are counted.
 */
const DELIVERY_LIMIT = 100;

export const topicExchanges: readonly Exchange[] = ['observations', 'facts', 'work'];

/** The services that have a queue: those that a message of the table goes to. */
export const queuedServices: readonly ServiceName[] = serviceNames.filter((service) =>
  allMessages.some(({ consumers }) => consumers.includes(service)),
);

export const retryExchange = (service: ServiceName): string => `${service}.retry`;
export const retryQueue = (service: ServiceName, delayMs: number): string => `${service}.retry.${delayMs}`;
/** Names a service's dead-letter exchange as well as the queue behind it. */
export const deadLetters = (service: ServiceName): string => `${service}.dead`;

/** The rung of the ladder for a wait (the next longer one), and what is still to be waited after it. */
export function rungOf(delayMs: number): { rung: string; remainingMs: number } {
  if (delayMs <= 0) return { rung: AT_ONCE, remainingMs: 0 };
  const longest = RETRY_LADDER_MS[RETRY_LADDER_MS.length - 1] ?? 0;
  const rung = RETRY_LADDER_MS.find((ms) => ms >= delayMs) ?? longest;
  return { rung: String(rung), remainingMs: Math.max(delayMs - rung, 0) };
}

/** The exchanges, queues and bindings that the table of messages asks for. */
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

/** 7 days, at most 1 GB; the newest segment always stays. */
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

/** RabbitMQ's quorum queues know two priorities: above 4, and the rest. */
export const PRIORITY = { live: 5, past: 1 } as const;

/** Services that work out what follows from what came before: of several processes one consumes, the others stand by. */
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
    // Looking at dead letters must not be what removes them.
    { name: deadLetters(service), arguments: { ...quorum, 'x-delivery-limit': -1 } },
  ];
}

const quorum = { 'x-queue-type': 'quorum' };

/** A message leaves only when the next queue has it, which the broker does only where a full queue refuses. */
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
