import { AppError } from '@lobbystats/errors';

export interface Opened<T> {
  readonly value: T;
  /** Resolves when it is lost, for whatever reason; never rejects. */
  readonly lost: Promise<void>;
  close(): Promise<void>;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 3000;
const CLOSE_WITHIN_MS = 3000;

/** Reopens a resource whenever it is lost, until closed. */
export class Kept<T> {
  readonly #open: () => Promise<Opened<T>>;
  readonly #onOpen: (value: T) => void;
  #current: Opened<T> | undefined;
  #waiting: { resolve: (value: T) => void; reject: (error: unknown) => void; timer: NodeJS.Timeout }[] = [];
  #failure: unknown;
  #closed = false;
  #stop: () => void = () => undefined;
  readonly #stopped = new Promise<void>((resolve) => {
    this.#stop = resolve;
  });

  /**
   * A failed `open` is retried; `onOpen` runs after each success.
   *
   * @param open may reject: it is tried again after a while
   * @param onOpen called each time when it is open
   */
  constructor(open: () => Promise<Opened<T>>, onOpen: (value: T) => void = () => undefined) {
    this.#open = open;
    this.#onOpen = onOpen;
    void this.#keep();
  }

  get current(): T | undefined {
    return this.#current?.value;
  }

  get failure(): unknown {
    return this.#current === undefined ? this.#failure : undefined;
  }

  /** @throws AppError `unavailable` when it isn't in time, or closed for good */
  within(ms: number): Promise<T> {
    const { current } = this;
    if (current !== undefined) return Promise.resolve(current);
    if (this.#closed) return Promise.reject(this.#unavailable());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(this.#unavailable());
      }, ms);
      const waiting = { resolve, reject, timer };
      this.#waiting.push(waiting);
    });
  }

  /** Waits a few seconds at most. */
  async close(): Promise<void> {
    this.#closed = true;
    const current = this.#current;
    this.#current = undefined;
    this.#stop();
    for (const { reject } of this.#takeWaiting()) reject(this.#unavailable());
    if (current !== undefined) await Promise.race([current.close().catch(() => undefined), pause(CLOSE_WITHIN_MS)]);
  }

  async #keep(): Promise<void> {
    let wait = FIRST_WAIT_MS;
    while (!this.#closed) {
      try {
        const opened = await this.#open();
        wait = FIRST_WAIT_MS;
        await this.#hold(opened);
      } catch (error) {
        this.#failure = error;
      }
      await pause(wait);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }

  async #hold(opened: Opened<T>): Promise<void> {
    if (this.#closed) {
      await opened.close();
      return;
    }
    this.#current = opened;
    this.#onOpen(opened.value);
    for (const { resolve } of this.#takeWaiting()) resolve(opened.value);
    await Promise.race([opened.lost, this.#stopped]);
    this.#current = undefined;
  }

  #takeWaiting() {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { timer } of waiting) clearTimeout(timer);
    return waiting;
  }

  #unavailable(): AppError {
    return new AppError('unavailable', 'The message bus is not available', { cause: this.#failure });
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
