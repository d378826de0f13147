import type { Running } from './message-bus.ts';

/** What a bus has started and not yet stopped. */
export class RunningSet {
  readonly #running = new Set<Running>();

  /** @param stop is called once, however often the returned one is stopped */
  track(stop: () => Promise<void>): Running {
    let stopping: Promise<void> | undefined;
    const running: Running = {
      stop: () => {
        stopping ??= stop().finally(() => this.#running.delete(running));
        return stopping;
      },
    };
    this.#running.add(running);
    return running;
  }

  /** Resolves when all of it has stopped. */
  async stop(): Promise<void> {
    await Promise.all([...this.#running].map((running) => running.stop()));
  }
}
