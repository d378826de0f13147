import type { Outbox, ServiceName } from '@lobbystats/contracts';
import { openBus, OutboxRelay, type MessageBus } from '@lobbystats/message-bus';
import { continueTrace, newTraceparent } from '../context/ids.ts';
import { context } from '../context/work-context.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import {
  beginHandling,
  beginPublishing,
  inSpan,
  type MessageBatch,
  type PublishedType,
  type PublishingSpan,
} from '../tracing/message-spans.ts';

interface BusHooks {
  /** The trace context of a published message that has no span. */
  traceparent(): string;
  publishing(type: PublishedType): PublishingSpan | undefined;
  run(
    message: { id: string; type: string; traceparent: string },
    work: () => Promise<void>,
    batch?: MessageBatch,
  ): Promise<void>;
  event(
    name: 'published' | 'handled' | 'retried' | 'dead' | 'expired',
    details: { queue?: string; type?: string; reason?: string; count?: number },
  ): void;
}

/** An outage causes these events for hundreds of messages: the log gets one per interval, the counters get all. */
const RATE_LIMITED: ReadonlySet<string> = new Set(['retried', 'expired']);
const LOG_INTERVAL_MS = 60_000;
const LEVELS = { published: 'debug', handled: 'debug', expired: 'info', retried: 'warn', dead: 'error' } as const;

export function busHooks(logger: Logger, metrics: Metrics): BusHooks {
  const messages = metrics.counter('bus_messages_total', 'Message events by queue and type', [
    'event',
    'queue',
    'type',
  ]);
  const loggedAtMs = new Map<string, number>();
  const isLoggedRecently = (name: string, queue: string, type: string) => {
    const key = `${name} ${queue} ${type}`;
    const nowMs = performance.now();
    if (RATE_LIMITED.has(name) && nowMs - (loggedAtMs.get(key) ?? -LOG_INTERVAL_MS) < LOG_INTERVAL_MS) return true;
    loggedAtMs.set(key, nowMs);
    return false;
  };
  return {
    traceparent: () => context.current()?.traceparent ?? newTraceparent(),
    publishing: beginPublishing,
    run: ({ id, type, traceparent }, work, batch) => {
      const span = batch && beginHandling(type, batch);
      if (batch === undefined || span === undefined) {
        return context.run({ messageId: id, traceparent: continueTrace(traceparent) }, work);
      }
      const current = { messageId: id, traceparent: span.traceparent, service: batch.queue };
      return context.run(current, () => inSpan(span, work));
    },
    event: (name, { queue = '', type = '', reason, count = 1 }) => {
      messages.inc({ event: name, queue, type }, count);
      const level = LEVELS[name];
      if (!logger.isLevelEnabled(level) || isLoggedRecently(name, queue, type)) return;
      // One event covers many messages: the ids of the running work don't apply to it.
      context.leave(() => {
        logger.log(level, `message ${name}`, { queue, type, count, ...(reason !== undefined && { reason }) });
      });
    },
  };
}

/** A part of a service that publishes or consumes: the bus at its `BUS_URL`. */
export function openServiceBus(service: ServiceName) {
  return ({ config, clock, logger, metrics }: BusShell): Promise<MessageBus> =>
    openBus({
      url: config.BUS_URL,
      origin: config.NETWORK_ORIGIN,
      hooks: busHooks(logger, metrics),
      clock,
      service,
    });
}

interface BusShell {
  readonly config: { BUS_URL: string; NETWORK_ORIGIN: string };
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Publishes facts from an outbox and counts those that wait. */
export interface ServiceRelay {
  /** Call after a commit with facts. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
  /** For the health details. */
  readonly outbox: { waiting: number };
}

export function createServiceRelay(
  outbox: Outbox,
  { bus, logger, metrics }: { bus: MessageBus; logger: Logger; metrics: Metrics },
): ServiceRelay {
  const depth = metrics.gauge('outbox_facts', 'Facts that are stored and not yet published');
  const counts = { waiting: 0 };
  const onBacklog = (facts: number) => {
    counts.waiting = facts;
    depth.set(facts);
  };
  const relay = new OutboxRelay({ outbox, bus, logger, onBacklog });
  return { wake: () => relay.wake(), stop: () => relay.stop(), outbox: counts };
}
