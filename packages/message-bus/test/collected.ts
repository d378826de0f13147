/** What a test has seen so far; it can wait for more. */
export class Collected<T> {
  readonly items: T[] = [];
  #waiting: { count: number; resolve: () => void }[] = [];

  add(item: T): void {
    this.items.push(item);
    const ready = this.#waiting.filter(({ count }) => count <= this.items.length);
    this.#waiting = this.#waiting.filter(({ count }) => count > this.items.length);
    for (const { resolve } of ready) resolve();
  }

  /** Resolves with all that was seen when it is at least so much. */
  async reaches(count: number): Promise<readonly T[]> {
    if (this.items.length < count) await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
    return this.items;
  }
}

/** A promise that is resolved from outside. */
export class Gate {
  readonly opened: Promise<void>;
  open!: () => void;

  constructor() {
    this.opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}

const PATIENCE_MS = 10_000;

/** Asks again, turn after turn of the event loop, until the answer is accepted; gives that answer. */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  accept: (answer: T) => boolean,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (accept(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`Waited in vain; at last there was ${JSON.stringify(answer)}`);
    await nextTurn();
  }
}

/** The event loop's next turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
