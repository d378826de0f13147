export interface Instant {
  /** `performance.now()` */
  readonly atMs: number;
  /** `Date.now()`, which goes on while the machine sleeps. */
  readonly wallMs: number;
}

/** The age of a proof that was asked for at an instant. */
export class Freshness {
  #atMs = Number.NEGATIVE_INFINITY;
  #wallMs = Number.NEGATIVE_INFINITY;

  refresh({ atMs, wallMs }: Instant): void {
    if (atMs > this.#atMs) [this.#atMs, this.#wallMs] = [atMs, wallMs];
  }

  ageMs(): number {
    return Math.max(performance.now() - this.#atMs, Date.now() - this.#wallMs);
  }

  copy(): Freshness {
    const copy = new Freshness();
    copy.refresh({ atMs: this.#atMs, wallMs: this.#wallMs });
    return copy;
  }
}

export function presentInstant(): Instant {
  return { atMs: performance.now(), wallMs: Date.now() };
}
