import type { Subscription } from './message-bus.ts';

export class SubscriptionSet {
  readonly #subscriptions = new Set<Subscription>();

  track(stop: () => Promise<void>): Subscription {
    let stopping: Promise<void> | undefined;
    const running: Subscription = {
      stop: () => {
        stopping ??= stop().finally(() => this.#subscriptions.delete(running));
        return stopping;
      },
    };
    this.#subscriptions.add(running);
    return running;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((running) => running.stop()));
  }
}
