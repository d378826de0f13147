import { continueTrace, newTraceparent } from '../context/traceparent.ts';
import { context } from '../context/work-context.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import {
  beginHandling,
  beginPublishing,
  inSpan,
  type HandedOver,
  type PublishedType,
  type PublishingSpan,
} from '../tracing/message-spans.ts';

/** What message-bus tells and asks the process that it runs in; it declares the same shape. */
export interface BusHooks {
  /** The trace context of a message that is being published, where it has no span of its own. */
  traceparent(): string;
  /** Begins the span of a message that is being published; undefined where no spans are recorded. */
  publishing(type: PublishedType): PublishingSpan | undefined;
  /** Runs a handler's work for a message, the first of those that are handed over. */
  run(
    message: { id: string; type: string; traceparent: string },
    work: () => Promise<void>,
    handed?: HandedOver,
  ): Promise<void>;
  event(
    name: 'published' | 'handled' | 'retried' | 'dead' | 'expired',
    details: { queue?: string; type?: string; reason?: string; count?: number },
  ): void;
}

/** What happens to hundreds of messages at once when something is down is told of once in so long, in milliseconds. */
const REPEATED_MS = 60_000;
const REPEATED: ReadonlySet<string> = new Set(['retried', 'expired']);

const LEVELS = { published: 'debug', handled: 'debug', expired: 'info', retried: 'warn', dead: 'error' } as const;

/** Logs and counts what the bus does, and carries trace contexts over it. */
export function busHooks(logger: Logger, metrics: Metrics): BusHooks {
  const messages = metrics.counter('bus_messages_total', 'What became of messages', ['event', 'queue', 'type']);
  const toldMs = new Map<string, number>();
  /** Whether the log has had it already; the counters have every one. */
  const isRepetition = (name: string, queue: string, type: string) => {
    const key = `${name} ${queue} ${type}`;
    const nowMs = performance.now();
    if (!REPEATED.has(name) || nowMs - (toldMs.get(key) ?? -REPEATED_MS) >= REPEATED_MS) {
      toldMs.set(key, nowMs);
      return false;
    }
    return true;
  };
  return {
    traceparent: () => context.current()?.traceparent ?? newTraceparent(),
    publishing: beginPublishing,
    run: ({ id, type, traceparent }, work, handed) => {
      const span = handed === undefined ? undefined : beginHandling(type, handed);
      if (handed === undefined || span === undefined) {
        return context.run({ messageId: id, traceparent: continueTrace(traceparent) }, work);
      }
      const current = { messageId: id, traceparent: span.traceparent, service: handed.queue };
      return context.run(current, () => inSpan(span, work));
    },
    event: (name, { queue = '', type = '', reason, count = 1 }) => {
      messages.inc({ event: name, queue, type }, count);
      const level = LEVELS[name];
      if (!logger.isLevelEnabled(level) || isRepetition(name, queue, type)) return;
      // The bus tells of many messages together, in whatever work made it turn to them.
      context.leave(() => {
        logger.log(level, `message ${name}`, { queue, type, count, ...(reason !== undefined && { reason }) });
      });
    },
  };
}
