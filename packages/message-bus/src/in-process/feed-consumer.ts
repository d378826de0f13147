import { MAX_IN_FLIGHT_BYTES } from '../in-flight-bytes.ts';
import type { ConsumerSettings } from '../consumer-settings.ts';
import type { Dispatcher } from '../dispatcher.ts';

export class FeedConsumer {
  readonly settings: ConsumerSettings;
  readonly dispatcher: Dispatcher;
  #inFlight = 0;
  #lengthInFlight = 0;

  constructor(settings: ConsumerSettings, dispatcher: Dispatcher) {
    this.settings = settings;
    this.dispatcher = dispatcher;
  }

  get freeCapacity(): number {
    return this.#lengthInFlight >= MAX_IN_FLIGHT_BYTES ? 0 : this.settings.prefetch - this.#inFlight;
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
