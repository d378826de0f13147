import { MAX_IN_FLIGHT_BYTES, type Dispatcher } from '../dispatcher.ts';

/** A consumer of a queue, with the number and size of its unsettled messages. */
class FeedConsumer {
  readonly dispatcher: Dispatcher;
  readonly #prefetch: number;
  #inFlight = 0;
  #lengthInFlight = 0;

  constructor(prefetch: number, dispatcher: Dispatcher) {
    this.#prefetch = prefetch;
    this.dispatcher = dispatcher;
  }

  get freeCapacity(): number {
    return this.#lengthInFlight >= MAX_IN_FLIGHT_BYTES ? 0 : Math.max(this.#prefetch - this.#inFlight, 0);
  }

  acquire(body: string): void {
    this.#inFlight += 1;
    this.#lengthInFlight += body.length;
  }

  release(body: string): void {
    this.#inFlight -= 1;
    this.#lengthInFlight -= body.length;
  }
}

export class FeedConsumers {
  readonly #consumers = new Set<FeedConsumer>();

  /** Returns a function that removes the consumer. */
  add(prefetch: number, dispatcher: Dispatcher): () => void {
    const consumer = new FeedConsumer(prefetch, dispatcher);
    this.#consumers.add(consumer);
    return () => this.#consumers.delete(consumer);
  }

  get freeCapacity(): number {
    return [...this.#consumers].reduce((sum, { freeCapacity }) => sum + freeCapacity, 0);
  }

  /** Undefined when no consumer has capacity. */
  leastBusy(): FeedConsumer | undefined {
    let best: FeedConsumer | undefined;
    for (const consumer of this.#consumers) if (consumer.freeCapacity > (best?.freeCapacity ?? 0)) best = consumer;
    return best;
  }
}
