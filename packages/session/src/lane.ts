/** How much a lane lets happen at once. */
export interface LaneOptions {
  /** Turns at once. */
  width: number;
  /** Who may wait for one. */
  waiting: number;
  /** How long, in milliseconds. */
  waitMs: number;
  /** A clock that only goes forward, in milliseconds. Default: the machine's. */
  now?: () => number;
}

/** A turn that somebody waits for. */
interface Waiting {
  since: number;
  go: () => void;
  giveUp: () => void;
}

/**
 * Turns, so many at once, in the order of coming as long as that is quick. Where it isn't, the newest is next: under a flood
 * everybody would wait otherwise, and most in vain.
 */
export class Lane {
  readonly #options: LaneOptions;
  /** The newest last. */
  readonly #waiting: Waiting[] = [];
  readonly #now: () => number;
  #taken = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Whether nobody has a turn. */
  isIdle(): boolean {
    return this.#taken === 0;
  }

  /** Takes a turn if there is one now. Who has one hands it on by {@link release}. */
  take(): boolean {
    if (this.#taken >= this.#options.width) return false;
    this.#taken += 1;
    return true;
  }

  /** The same, and waits for one; false when none came in time, or newer ones have crowded this one out. */
  wait(): Promise<boolean> {
    if (this.take()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (hasTurn: boolean) => {
        clearTimeout(timer);
        resolve(hasTurn);
      };
      const one: Waiting = { since: this.#now(), go: () => end(true), giveUp: () => end(false) };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(one), 1);
        one.giveUp();
      }, this.#options.waitMs);
      this.#waiting.push(one);
      if (this.#waiting.length > this.#options.waiting) this.#waiting.shift()?.giveUp();
    });
  }

  /** Hands a turn on, or back. */
  release(): void {
    const next = this.#isSlow() ? this.#waiting.pop() : this.#waiting.shift();
    if (next === undefined) this.#taken -= 1;
    else next.go();
  }

  #isSlow(): boolean {
    const [oldest] = this.#waiting;
    return oldest !== undefined && this.#now() - oldest.since > this.#options.waitMs / 2;
  }
}
