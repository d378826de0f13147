/**
 * A message that an adapter delivers to a handler. It is settled once, by one of the four methods, which must not throw.
 */
export interface Delivery {
  readonly body: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly poisonReason?: string | undefined;
  /** Undefined: never. */
  readonly expiresAtMs: number | undefined;
  ack(): void;
  retry(delayMs: number): void;
  deadLetter(reason: string): void;
  release(): void;
}
