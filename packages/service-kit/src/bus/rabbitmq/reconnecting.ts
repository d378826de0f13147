import { AppError } from '@lobbystats/contracts/errors';

export interface OpenResource<T> {
  readonly value: T;
  /** Resolves when the resource is lost; never rejects. */
  readonly lost: Promise<void>;
  close(): Promise<void>;
}

const INITIAL_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 3000;
const CLOSE_TIMEOUT_MS = 3000;

/** Reopens a resource whenever it is lost, until closed. */
export class Reconnecting<T> {
  readonly #open: () => Promise<OpenResource<T>>;
  readonly #onOpen: (value: T) => void;
  #current: OpenResource<T> | undefined;
  #waiters: { resolve: (value: T) => void; reject: (error: unknown) => void; timer: NodeJS.Timeout }[] = [];
  #failure: unknown;
  #closed = false;
  #drop: () => void = () => undefined;
  #stop: () => void = () => undefined;
  readonly #stopped = new Promise<void>((resolve) => {
    this.#stop = resolve;
  });

  /**
   * @param open retried with a backoff when it rejects
   * @param onOpen called after each successful open
   */
  constructor(open: () => Promise<OpenResource<T>>, onOpen: (value: T) => void = () => undefined) {
    this.#open = open;
    this.#onOpen = onOpen;
    void this.#reconnectLoop();
  }

  get current(): T | undefined {
    return this.#current?.value;
  }

  get failure(): unknown {
    return this.#current === undefined ? this.#failure : undefined;
  }

  /** @throws AppError `unavailable` after `ms`, or once it is closed */
  waitUntilOpen(ms: number): Promise<T> {
    const { current } = this;
    if (current !== undefined) return Promise.resolve(current);
    if (this.#closed) return Promise.reject(this.#unavailable());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters = this.#waiters.filter((other) => other !== waiting);
        reject(this.#unavailable());
      }, ms);
      const waiting = { resolve, reject, timer };
      this.#waiters.push(waiting);
    });
  }

  /** Gives up `value` if it is the current one, and opens another. */
  drop(value: T): void {
    const current = this.#current;
    if (current?.value !== value) return;
    this.#drop();
    void current.close().catch(() => undefined);
  }

  /** Waits at most 3 s. */
  async close(): Promise<void> {
    this.#closed = true;
    const current = this.#current;
    this.#current = undefined;
    this.#stop();
    for (const { reject } of this.#takeWaiters()) reject(this.#unavailable());
    if (current !== undefined) await Promise.race([current.close().catch(() => undefined), pause(CLOSE_TIMEOUT_MS)]);
  }

  async #reconnectLoop(): Promise<void> {
    let wait = INITIAL_BACKOFF_MS;
    while (!this.#closed) {
      try {
        const opened = await this.#open();
        wait = INITIAL_BACKOFF_MS;
        await this.#useUntilLost(opened);
      } catch (error) {
        this.#failure = error;
      }
      await pause(wait);
      wait = Math.min(wait * 2, MAX_BACKOFF_MS);
    }
  }

  async #useUntilLost(opened: OpenResource<T>): Promise<void> {
    if (this.#closed) {
      await opened.close();
      return;
    }
    this.#current = opened;
    this.#onOpen(opened.value);
    for (const { resolve } of this.#takeWaiters()) resolve(opened.value);
    const { promise: dropped, resolve: drop } = Promise.withResolvers<undefined>();
    this.#drop = () => drop(undefined);
    await Promise.race([opened.lost, dropped, this.#stopped]);
    this.#current = undefined;
  }

  #takeWaiters() {
    const waiting = this.#waiters;
    this.#waiters = [];
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
