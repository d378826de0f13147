import { compareCoverage, hasStoredMore, type Coverage } from '@lobbystats/contracts';

/** Both instances store a live slot, but not in the same moment. */
const GRACE_MS = 10_000;
/** How long an instance that has stored more may be unreachable before one that has stored less serves. */
const ABSENCE_MS = 2500;

interface InstanceState {
  /** The last known one. */
  coverage: Coverage | undefined;
  /** Undefined: it responds. */
  absentSinceMs: number | undefined;
  /** Undefined: it has stored no less than the others. */
  behindSinceMs: number | undefined;
  isComplete: boolean;
}

/**
 * Chooses the instance that serves reads: it stays the same while it is complete, which means that it responds and has
 * stored no less than the others. If none is complete, the one that has stored most serves.
 */
export class InstanceChoice {
  readonly #instances: readonly InstanceState[];
  readonly #now: () => number;
  #current = 0;

  /** @param now monotonic clock in milliseconds */
  constructor(count: number, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#instances = Array.from({ length: count }, () => ({
      coverage: undefined,
      absentSinceMs: -Infinity,
      behindSinceMs: undefined,
      isComplete: false,
    }));
  }

  /** Index of the instance that serves reads. */
  get current(): number {
    return this.#current;
  }

  /** Index of another complete instance, for a request that the current one has failed. */
  get alternative(): number | undefined {
    const found = this.#instances.findIndex(({ isComplete }, index) => isComplete && index !== this.#current);
    return found === -1 ? undefined : found;
  }

  isComplete(index: number): boolean {
    return this.#instances[index]?.isComplete ?? false;
  }

  /** @param coverages of all instances, asked at the same time; undefined: no response */
  report(coverages: readonly (Coverage | undefined)[]): void {
    const nowMs = this.#now();
    const returned: Coverage[] = [];
    for (const [index, instance] of this.#instances.entries()) {
      const coverage = coverages[index];
      if (coverage === undefined) instance.absentSinceMs ??= nowMs;
      else {
        if (instance.absentSinceMs !== undefined) returned.push(coverage);
        instance.absentSinceMs = undefined;
        instance.coverage = coverage;
      }
    }
    const known = this.#known(nowMs).flatMap(({ coverage }) => coverage ?? []);
    for (const instance of this.#instances) updateCompleteness(instance, { known, returned, nowMs });
    this.#current = this.#choose(nowMs);
  }

  #choose(nowMs: number): number {
    if (this.isComplete(this.#current)) return this.#current;
    const complete = this.alternative;
    if (complete !== undefined) return complete;
    const known = this.#known(nowMs);
    const [best] = known.toSorted((a, b) => compareCoverage(b.coverage, a.coverage));
    const current = this.#instances[this.#current];
    const isCurrentBest =
      best === undefined ||
      (current !== undefined && known.includes(current) && compareCoverage(current.coverage, best.coverage) >= 0);
    return isCurrentBest ? this.#current : this.#instances.indexOf(best);
  }

  /** Instances that respond, or did until a moment ago. */
  #known(nowMs: number): InstanceState[] {
    return this.#instances.filter(
      ({ coverage, absentSinceMs = nowMs }) => coverage !== undefined && nowMs - absentSinceMs < ABSENCE_MS,
    );
  }
}

interface Comparison {
  readonly known: readonly Coverage[];
  /** Those that respond again. */
  readonly returned: readonly Coverage[];
  readonly nowMs: number;
}

function updateCompleteness(instance: InstanceState, { known, returned, nowMs }: Comparison): void {
  const { coverage, absentSinceMs, isComplete } = instance;
  if (coverage === undefined || absentSinceMs !== undefined) {
    instance.isComplete = false;
    return;
  }
  if (!known.some((other) => hasStoredMore(other, coverage))) {
    instance.isComplete = true;
    instance.behindSinceMs = undefined;
    return;
  }
  instance.behindSinceMs ??= nowMs;
  const isInGrace =
    nowMs - instance.behindSinceMs < GRACE_MS && !returned.some((other) => hasStoredMore(other, coverage));
  instance.isComplete = isComplete && isInGrace;
}
