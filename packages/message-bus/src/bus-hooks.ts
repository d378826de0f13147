import { randomUUID } from 'node:crypto';
import type { MessageType, ServiceName } from '@lobbystats/contracts';

/** What the surroundings of a piece of work may know of the message it is done for. */
export interface MessageContext {
  readonly id: string;
  /** Routing key. */
  readonly type: string;
  /** W3C trace context of the work that published it. */
  readonly traceparent: string;
}

/**
 * `published`: is durable. `handled`: its handler has resolved. `retried`: failed, and will be handed over again. `dead`:
 * becomes a dead letter, or is a fact in the log that can't be read. `expired`: leaves its queue because nobody wants it
 * any more.
 */
export type BusEvent = 'published' | 'handled' | 'retried' | 'dead' | 'expired';

export interface BusEventDetails {
  queue?: ServiceName;
  /** Routing key; only ever one of the table, so that it may be a metric's label. */
  type?: string;
  /** Why, in one line. It may quote the message: for logs, not for labels. */
  reason?: string;
  /** How many messages. */
  count?: number;
}

/** What is handed to a handler in one call. */
interface HandedOver {
  readonly queue: ServiceName;
  /** One, or a batch. */
  readonly messages: readonly MessageContext[];
}

/** A message on its way, for those who record such things. */
interface PublishingSpan {
  /** The trace context that the message shall carry. */
  readonly traceparent: string;
  /** Called once: the message is durable, or isn't because of an error. Must not throw. */
  end(error?: unknown): void;
}

/** How the bus meets its surroundings: tracing, logs and metrics. */
export interface BusHooks {
  /** The trace context that a message published now shall carry, unless `publishing` says another. */
  traceparent(): string;
  /** A message is about to be published. Undefined: nobody records that. */
  publishing(type: MessageType): PublishingSpan | undefined;
  /** Runs a handler in the context of its message: for a batch, of its first. Must pass on what `work` does. */
  run(message: MessageContext, work: () => Promise<void>, handed: HandedOver): Promise<void>;
  /** Must not throw. */
  event(name: BusEvent, details: BusEventDetails): void;
}

/** Complete hooks: a fresh trace for each message, and silence, where none are given. */
export function completeHooks(hooks: Partial<BusHooks> = {}): BusHooks {
  return {
    traceparent: () => hooks.traceparent?.() ?? freshTraceparent(),
    publishing: (type) => hooks.publishing?.(type),
    run: (message, work, handed) => hooks.run?.(message, work, handed) ?? work(),
    event: (name, details) => hooks.event?.(name, details),
  };
}

/** Out of UUIDs: `randomUUID` keeps entropy in store, where each `randomBytes` is a call of the kernel. */
function freshTraceparent(): string {
  const span = randomUUID();
  return `00-${randomUUID().replaceAll('-', '')}-${span.slice(0, 8)}${span.slice(-8)}-00`;
}
