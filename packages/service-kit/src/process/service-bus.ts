import type { Outbox, ServiceName } from '@lobbystats/contracts';
import { openBus, OutboxRelay, type BusHooks, type MessageBus, type OutboxRelayOptions } from '../bus/index.ts';
import { context, continueTrace } from '../context/work-context.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { beginHandling, beginPublishing, inSpan, type MessagingSystem } from '../tracing/spans.ts';

/** An outage causes these events for hundreds of messages: the log gets one per interval, the counters get all. */
const RATE_LIMITED: ReadonlySet<string> = new Set(['retried', 'expired']);
const LOG_INTERVAL_MS = 60_000;
const LEVELS = {
  published: 'debug',
  handled: 'debug',
  postponed: 'debug',
  expired: 'info',
  retried: 'warn',
  dead: 'error',
} as const;

export function busHooks(logger: Logger, metrics: Metrics, system: MessagingSystem = 'in_process'): BusHooks {
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
    publishing: (type) => beginPublishing(system, type),
    run: ({ id, type, traceparent }, work, batch) => {
      const span = beginHandling(system, type, batch);
      if (span === undefined) {
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
      context.exit(() => {
        logger.log(level, `message ${name}`, { queue, type, count, ...(reason !== undefined && { reason }) });
      });
    },
    // An uncaught error stops the process: the password has been changed, and a new start reads it.
    refused: (error) => {
      setImmediate(() => {
        throw error;
      });
    },
  };
}

interface BusShell {
  config: { BUS_URL: string; NETWORK_ORIGIN: string };
  clock: () => number;
  logger: Logger;
  metrics: Metrics;
}

/** A part of a service that publishes or consumes: the bus at its `BUS_URL`. */
export function openServiceBus(service: ServiceName) {
  return ({ config: { BUS_URL: url, NETWORK_ORIGIN: origin }, clock, logger, metrics }: BusShell) =>
    openBus({
      url,
      origin,
      hooks: busHooks(logger, metrics, url.startsWith('amqp') ? 'rabbitmq' : 'in_process'),
      clock,
      service,
    });
}

interface RelayShell extends Omit<BusShell, 'config' | 'clock'>, Pick<OutboxRelayOptions, 'merge' | 'intervalMs'> {
  bus: MessageBus;
}

/** Publishes facts of the outbox; `wake` it after a commit. */
export function createServiceRelay(outbox: Outbox, { metrics, ...shell }: RelayShell): OutboxRelay {
  const relay = new OutboxRelay({ outbox, ...shell });
  metrics.gauge('outbox_facts', 'Facts that are stored and not yet published', [], (gauge) => {
    gauge.set(relay.backlog.waiting);
  });
  return relay;
}
