import type { Received } from './hand-over.ts';

/** Messages that wait for one handler, which takes up to `size` of them at a time, one call after the other. */
export class BatchLane {
  readonly #size: number;
  readonly #handOver: (batch: readonly Received[]) => Promise<void>;
  readonly #live: Received[] = [];
  readonly #past: Received[] = [];
  #draining: Promise<void> | undefined;

  /** @param handOver handles a batch and settles it; never rejects */
  constructor(size: number, handOver: (batch: readonly Received[]) => Promise<void>) {
    this.#size = size;
    this.#handOver = handOver;
  }

  add(received: Received): void {
    (received.message.past ? this.#past : this.#live).push(received);
    this.#draining ??= this.#drain();
  }

  /** Resolves when the call under way is done. What still waits is given back. */
  async stop(): Promise<void> {
    for (const { delivery } of this.#takeUpTo(Number.POSITIVE_INFINITY)) delivery.release();
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // All that the adapter delivers in this turn goes into the first batch.
    await Promise.resolve();
    for (let batch = this.#takeUpTo(this.#size); batch.length > 0; batch = this.#takeUpTo(this.#size)) {
      await this.#handOver(batch);
    }
    this.#draining = undefined;
  }

  #takeUpTo(count: number): Received[] {
    const live = this.#live.splice(0, count);
    return [...live, ...this.#past.splice(0, count - live.length)];
  }
}
