import type { EpochSeconds } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';

/** In seconds. A far-future observation would supersede all later ones. */
const MAX_CLOCK_SKEW_SECONDS = 3600;
const MAX_ATTEMPTS = 8;

/** @throws AppError `invalid` when an instant is in the far future */
export function rejectFuture(what: string, instants: readonly EpochSeconds[], nowMs: number): void {
  const latest = instants.reduce((newest, instant) => Math.max(newest, instant), -Infinity);
  if (latest > nowMs / 1000 + MAX_CLOCK_SKEW_SECONDS) {
    throw new AppError('invalid', `${what} were seen in the future: a clock is wrong`);
  }
}

/**
 * Repeats an attempt to commit until no other commit came first.
 *
 * @throws AppError `unavailable` when there are too many
 */
export async function retryStale<Result>(what: string, attempt: () => Promise<Result | 'stale'>): Promise<Result> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const result = await attempt();
    if (result !== 'stale') return result;
  }
  throw new AppError('unavailable', `Too many concurrent commits of ${what}`);
}

const CHARACTERS_PER_FACT = 1_000_000;

/** Splits items into bundles of at most `count` that each fit a message; an oversized item is alone. */
export function splitBySize<Item>(items: readonly Item[], count: number): Item[][] {
  const bundles: Item[][] = [];
  let last: Item[] = [];
  let length = Infinity;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    if (last.length === count || length + size > CHARACTERS_PER_FACT) {
      last = [];
      bundles.push(last);
      length = 0;
    }
    last.push(item);
    length += size;
  }
  return bundles;
}
