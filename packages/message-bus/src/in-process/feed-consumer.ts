import { IN_HAND_BYTES_MAX } from '../body-gate.ts';
import type { ConsumerSettings } from '../consumer-settings.ts';
import type { Dispatcher } from '../dispatcher.ts';

export class FeedConsumer {
  readonly settings: ConsumerSettings;
  readonly dispatcher: Dispatcher;
  #inHand = 0;
  #lengthInHand = 0;

  constructor(settings: ConsumerSettings, dispatcher: Dispatcher) {
    this.settings = settings;
    this.dispatcher = dispatcher;
  }

  get room(): number {
    return this.#lengthInHand >= IN_HAND_BYTES_MAX ? 0 : this.settings.prefetch - this.#inHand;
  }

  take(body: string): void {
    this.#inHand += 1;
    this.#lengthInHand += body.length;
  }

  giveBack(body: string): void {
    this.#inHand -= 1;
    this.#lengthInHand -= body.length;
  }
}
