import { RoundRobin } from './round-robin.ts';
import { TimeAccount, type TimeAccountOptions } from './time-account.ts';

export interface TurnsOptions extends TimeAccountOptions {
  waitMs: number;
  /** How many wait at most. */
  waitingMax: number;
}

/** The queue is full, or the wait would be too long. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn';
  readonly seconds: number;

  constructor(reason: string, seconds: number) {
    super(reason);
    this.seconds = seconds;
  }
}

/** Ends a turn and returns its milliseconds. Idempotent. */
export type EndTurn = () => number;

const OTHERS = 'Another question takes long';
const USED_UP = 'The share of time for questions is used up';

/** Smallest `Retry-After`. */
const AGAIN_SECONDS = 5;

/** One query at a time, for a share of the time, fair between clients. */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #account: TimeAccount;
  readonly #waiting = new RoundRobin<() => void>();
  #isTaken = false;
  #alarm: NodeJS.Timeout | undefined;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#account = new TimeAccount(options);
  }

  /**
   * Waits for a turn. `who` identifies the client; aborting gives up the wait.
   *
   * @param who those of one name take turns with those of others
   * @param signal whoever goes away before their turn loses their place
   * @throws NoTurn at once where waiting is in vain, else when the time is over; what the signal was aborted with
   */
  async take(who: string, signal: AbortSignal): Promise<EndTurn> {
    const { waitMs, waitingMax } = this.#options;
    signal.throwIfAborted();
    if (this.#account.debtMs() > waitMs) throw this.#refusal(USED_UP);
    if (this.#waiting.size >= waitingMax) throw this.#refusal('Too many questions wait');
    const { promise, resolve, reject } = Promise.withResolvers<EndTurn>();
    const place = this.#waiting.enter(who, () => resolve(this.#begin()));
    const leave = (reason: unknown) => {
      place.leave();
      reject(reason);
    };
    const gone = () => leave(signal.reason);
    signal.addEventListener('abort', gone, { once: true });
    const tooLate = setTimeout(() => leave(this.#refusal(this.#isTaken ? OTHERS : USED_UP)), waitMs);
    this.#admit();
    try {
      return await promise;
    } finally {
      clearTimeout(tooLate);
      signal.removeEventListener('abort', gone);
    }
  }

  #admit(): void {
    if (this.#isTaken || this.#waiting.size === 0) return;
    const debtMs = this.#account.debtMs();
    if (debtMs === 0) {
      this.#waiting.next()?.();
      return;
    }
    this.#alarm ??= setTimeout(() => {
      this.#alarm = undefined;
      this.#admit();
    }, debtMs);
  }

  #begin(): EndTurn {
    const began = this.#options.now();
    this.#isTaken = true;
    let tookMs: number | undefined;
    return () => {
      if (tookMs === undefined) {
        tookMs = this.#options.now() - began;
        this.#isTaken = false;
        this.#account.pay(tookMs);
        this.#admit();
      }
      return tookMs;
    };
  }

  #refusal(reason: string): NoTurn {
    return new NoTurn(reason, Math.max(AGAIN_SECONDS, Math.ceil(this.#account.debtMs() / 1000)));
  }
}
