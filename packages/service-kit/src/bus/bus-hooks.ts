import type { BusHooks } from '@lobbystats/message-bus';
import { context, continueTrace, newTraceparent } from '../context/work-context.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { beginHandling, beginPublishing, inSpan } from '../tracing/spans.ts';

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
    traceparent: () => context.getStore()?.traceparent ?? newTraceparent(),
    publishing: beginPublishing,
    run: ({ id, type, traceparent }, work, batch) => {
      const span = beginHandling(type, batch);
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
  };
}

/** `outbox` is for the health details; `onBacklog` records the number of unpublished facts. */
export function outboxMetrics(metrics: Metrics) {
  const depth = metrics.gauge('outbox_facts', 'Facts that are stored and not yet published');
  const outbox = { waiting: 0 };
  return {
    outbox,
    onBacklog: (facts: number) => {
      outbox.waiting = facts;
      depth.set(facts);
    },
  };
}
