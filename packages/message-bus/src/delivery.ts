/**
 * One message on its way from an adapter to a handler. The adapter hands over no more of them than the consumer's
 * prefetch allows; of the last four exactly one is called, once, and none may throw.
 */
export interface Delivery {
  /** As it was received, parseable or not. */
  readonly body: string;
  /** Which attempt at handling it this is; 1 for the first. */
  readonly attempt: number;
  /** Why it must not be handed over and is a dead letter; undefined for all others. */
  readonly verdict?: string | undefined;
  /** Epoch milliseconds, or undefined when it never expires. */
  readonly expiresAtMs: number | undefined;
  /** It is done with: it leaves its queue. */
  ack(): void;
  /** It failed: it is to be delivered again, as the next attempt, when `delayMs` have passed. */
  retry(delayMs: number): void;
  /** It can't be handled: it becomes a dead letter. */
  dead(reason: string): void;
  /** It was not touched: it is to be delivered again, as the same attempt. */
  release(): void;
}
