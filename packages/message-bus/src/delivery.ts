/**
 * A message between an adapter and a handler. Exactly one of the last four methods is called, once. They must not throw.
 */
export interface Delivery {
  readonly body: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly verdict?: string | undefined;
  /** Undefined: never. */
  readonly expiresAtMs: number | undefined;
  ack(): void;
  retry(delayMs: number): void;
  dead(reason: string): void;
  release(): void;
}
