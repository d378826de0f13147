import type { MessageType, ServiceName } from '@lobbystats/contracts';

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
  queue?: ServiceName;
  type?: string;
  reason?: string;
  count?: number;
}

export interface DispatchedBatch {
  readonly queue: ServiceName;
  readonly messages: readonly MessageContext[];
}

export interface PublishSpan {
  readonly traceparent: string;
  /** Called when the message is durable, or has failed. */
  end(error?: unknown): void;
}

export interface BusHooks {
  /** Undefined: not traced. */
  publishing(type: MessageType): PublishSpan | undefined;
  /** Runs a handler in its message's context; for a batch in the first one's. */
  run(message: MessageContext, work: () => Promise<void>, handed: DispatchedBatch): Promise<void>;
  event(name: BusEvent, details: BusEventDetails): void;
  /** The server refuses the user of a lost connection for longer than the start of a server takes. */
  refused(error: Error): void;
}

/** No output. */
export const noHooks: BusHooks = {
  publishing: () => undefined,
  run: (_message, work) => work(),
  event: () => undefined,
  refused: () => undefined,
};
