import type { Running } from './message-bus.ts';

export class RunningSet {
  readonly #running = new Set<Running>();

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

  async stop(): Promise<void> {
    await Promise.all([...this.#running].map((running) => running.stop()));
  }
}
