/** Records items of a test, which can wait for more. */
export class Recorder<T> {
  readonly items: T[] = [];
  #waiting: { count: number; resolve: () => void }[] = [];

  add(item: T): void {
    this.items.push(item);
    const ready = this.#waiting.filter(({ count }) => count <= this.items.length);
    this.#waiting = this.#waiting.filter(({ count }) => count > this.items.length);
    for (const { resolve } of ready) resolve();
  }

  /** Resolves with all items once there are at least `count`. */
  async waitForCount(count: number): Promise<readonly T[]> {
    if (this.items.length < count) await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
    return this.items;
  }
}

/** A promise that the test resolves. */
export class Gate {
  readonly opened: Promise<void>;
  open!: () => void;

  constructor() {
    this.opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}

/** Ends what hangs. */
const TIMEOUT_MS = 90_000;

/** Calls `ask` on each event loop tick until `accept` accepts its result, which it returns. */
export async function eventually<T>(ask: () => T | Promise<T>, accept: (answer: T) => boolean): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await ask();
    if (accept(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`Timed out; the last result was ${JSON.stringify(answer)}`);
    await nextImmediate();
  }
}

/** Resolves on the next tick of the event loop. */
export function nextImmediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
