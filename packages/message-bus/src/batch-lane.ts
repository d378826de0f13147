import type { MessageType } from '@lobbystats/contracts';
import type { Received } from './hand-over.ts';
import type { Handler } from './message-bus.ts';
import { yields } from './yields.ts';

/** A batch buffer for one handler: one call at a time, with up to `batch` messages. */
export class BatchLane {
  readonly #type: MessageType;
  readonly #size: number;
  readonly #handOver: (batch: readonly Received[]) => Promise<void>;
  readonly #live: Received[] = [];
  readonly #past: Received[] = [];
  #draining: Promise<void> | undefined;

  constructor({ type, batch }: Handler, handOver: (batch: readonly Received[]) => Promise<void>) {
    this.#type = type;
    this.#size = batch;
    this.#handOver = handOver;
  }

  add(received: Received): void {
    (yields(this.#type, received.message) ? this.#past : this.#live).push(received);
    this.#draining ??= this.#drain();
  }

  async stop(): Promise<void> {
    for (const { delivery } of this.#takeUpTo(Number.POSITIVE_INFINITY)) delivery.release();
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // All deliveries of this tick go into the first batch.
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
