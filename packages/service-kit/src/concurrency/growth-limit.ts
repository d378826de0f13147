/** How much a set that others fill may grow within a period. */
export interface GrowthLimit {
  /** New items that any set may get, however small it is. */
  readonly base: number;
  /** Share of the older items that may come on top. */
  readonly share: number;
}

/** New items that a set may still get, of `known` items of which `recent` came within the period. Never below 0. */
export function growthAllowance({ base, share }: GrowthLimit, { known, recent }: { known: number; recent: number }) {
  return Math.max(0, Math.floor(base + share * (known - recent)) - recent);
}

/** Counts what has come in each UTC day. Counts are of this process: each start has the limit of its own. */
export class DailyGrowth {
  readonly #limit: GrowthLimit;
  readonly #now: () => number;
  #day = 0;
  #recent = 0;

  /** @param now epoch milliseconds */
  constructor(limit: GrowthLimit, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** New items that may come today. */
  allowance(known: number): number {
    return growthAllowance(this.#limit, { known, recent: this.#today() });
  }

  record(added: number): void {
    this.#recent = this.#today() + added;
  }

  #today(): number {
    const day = Math.floor(this.#now() / DAY_MS);
    if (day !== this.#day) [this.#day, this.#recent] = [day, 0];
    return this.#recent;
  }
}

const DAY_MS = 86_400_000;
