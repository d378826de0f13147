import { AppError } from '@lobbystats/contracts/errors';
import type { Channel } from 'amqplib';
import { resolveWithin } from '../../concurrency/index.ts';

const RETRY_INTERVAL_MS = 250;
/** A channel whose request hangs in the broker does not respond to its close either. */
const CLOSE_TIMEOUT_MS = 1000;

/** A channel that is opened and set up again whenever it or its connection is lost, since amqplib recovers only connections. */
export class Reconnecting<C extends Channel> {
  readonly #create: () => Promise<C>;
  readonly #setUp: (channel: C) => Promise<void>;
  #opened = unsettled<C>();
  #current: C | undefined;
  #failure: unknown;
  #isClosed = false;

  constructor(create: () => Promise<C>, setUp: (channel: C) => Promise<void>) {
    this.#create = create;
    this.#setUp = setUp;
    void this.#run();
  }

  get current(): C | undefined {
    return this.#current;
  }

  get failure(): unknown {
    return this.#current === undefined ? this.#failure : undefined;
  }

  /** Resolves when it is open and set up. Rejects when it is closed. */
  get opened(): Promise<C> {
    return this.#opened.promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#opened.reject(closedError());
    if (this.#current !== undefined) await closeChannel(this.#current);
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#use(await this.#create());
      } catch (error) {
        this.#failure = error;
      }
      await pause(RETRY_INTERVAL_MS);
    }
    this.#opened.reject(closedError());
  }

  async #use(channel: C): Promise<void> {
    // `close` follows.
    channel.on('error', (error) => (this.#failure = error));
    const lost = new Promise<void>((resolve) => channel.once('close', () => resolve()));
    try {
      await this.#setUp(channel);
      if (this.#isClosed) return;
      this.#current = channel;
      this.#opened.resolve(channel);
      await lost;
      this.#current = undefined;
      this.#opened = unsettled();
    } finally {
      await closeChannel(channel);
    }
  }
}

/** Waits at most a second. No error when it is closed. */
export async function closeChannel(channel: Channel): Promise<void> {
  await resolveWithin(
    channel.close().catch(() => undefined),
    CLOSE_TIMEOUT_MS,
  );
}

function closedError(): AppError {
  return new AppError('unavailable', 'The bus is closed');
}

/** Its rejection needs no handler. */
function unsettled<C>(): PromiseWithResolvers<C> {
  const resolvers = Promise.withResolvers<C>();
  resolvers.promise.catch(() => undefined);
  return resolvers;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
