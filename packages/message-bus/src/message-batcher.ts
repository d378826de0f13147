import type { MessageType } from '@lobbystats/contracts';
import type { ReceivedMessage } from './dispatch.ts';
import type { Handler } from './message-bus.ts';
import { isLowPriority } from './is-low-priority.ts';

/** Collects messages for one batch handler: one call at a time, with up to `batch` messages, live ones first. */
export class MessageBatcher {
  readonly #type: MessageType;
  readonly #size: number;
  readonly #dispatch: (batch: readonly ReceivedMessage[]) => Promise<void>;
  readonly #live: ReceivedMessage[] = [];
  readonly #past: ReceivedMessage[] = [];
  #draining: Promise<void> | undefined;

  constructor({ type, batch }: Handler, dispatchBatch: (batch: readonly ReceivedMessage[]) => Promise<void>) {
    this.#type = type;
    this.#size = batch;
    this.#dispatch = dispatchBatch;
  }

  add(received: ReceivedMessage): void {
    (isLowPriority(this.#type, received.message) ? this.#past : this.#live).push(received);
    this.#draining ??= this.#drain();
  }

  async stop(): Promise<void> {
    for (const { delivery } of this.#takeBatch(Number.POSITIVE_INFINITY)) delivery.release();
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // All deliveries of this tick go into the first batch.
    await Promise.resolve();
    for (let batch = this.#takeBatch(this.#size); batch.length > 0; batch = this.#takeBatch(this.#size)) {
      await this.#dispatch(batch);
    }
    this.#draining = undefined;
  }

  #takeBatch(count: number): ReceivedMessage[] {
    const live = this.#live.splice(0, count);
    return [...live, ...this.#past.splice(0, count - live.length)];
  }
}
