import { randomUUID } from 'node:crypto';
import type { MessageType, QueueName } from '@lobbystats/contracts';

export interface MessageContext {
  readonly id: string;
  readonly type: string;
  readonly traceparent: string;
}

/**
 * `published`: durable. `retried`: failed, will be redelivered. `postponed`: not failed, will be
 * redelivered. `dead`: a dead letter, or an unreadable fact. `expired`:
 * dropped after its expiry.
 */
export type BusEvent = 'published' | 'handled' | 'retried' | 'postponed' | 'dead' | 'expired';

export interface BusEventDetails {
  queue?: QueueName;
  type?: string;
  reason?: string;
  count?: number;
}

export interface DispatchedBatch {
  readonly queue: QueueName;
  readonly messages: readonly MessageContext[];
}

export interface PublishSpan {
  readonly traceparent: string;
  /** Called when the message is durable, or has failed. */
  end(error?: unknown): void;
}

export interface BusHooks {
  /** Trace context for a message published now, unless `publishing` gives one. */
  traceparent(): string;
  /** Undefined: not traced. */
  publishing(type: MessageType): PublishSpan | undefined;
  /** Runs a handler in its message's context; for a batch in the first one's. */
  run(message: MessageContext, work: () => Promise<void>, handed: DispatchedBatch): Promise<void>;
  event(name: BusEvent, details: BusEventDetails): void;
}

/** Default: a new trace for each message, and no output. */
export function completeHooks(hooks: Partial<BusHooks> = {}): BusHooks {
  return {
    traceparent: () => hooks.traceparent?.() ?? freshTraceparent(),
    publishing: (type) => hooks.publishing?.(type),
    run: (message, work, handed) => hooks.run?.(message, work, handed) ?? work(),
    event: (name, details) => hooks.event?.(name, details),
  };
}

/** `randomUUID` buffers entropy; each `randomBytes` is a system call. */
function freshTraceparent(): string {
  const span = randomUUID();
  return `00-${randomUUID().replaceAll('-', '')}-${span.slice(0, 8)}${span.slice(-8)}-00`;
}
