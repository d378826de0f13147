import { fraction, mix } from './hash.ts';

const { ceil, floor, max, min } = Math;

const LONGEST_STAY_SLOTS = 40;
const SHORTEST_STAY_SLOTS = 2;

export const FAREWELL_SLOTS = 24;

const LIKED_STAY_SLOTS = 12;
const LIKED_STAY_SPREAD = 24;

const SHORTEST_BREAK_SLOTS = 6;

const VISITS_A_PERIOD = 1.8;

export interface SeatCounts {
  counts: Int32Array;
  seed: number;
  firstSlot: number;
}

/** A window over an endless queue: exactly as wide as the count, never moving back, so stays are unbroken. */
export function layWindows({ counts, seed, firstSlot }: SeatCounts, starts: Int32Array, ends: Int32Array): void {
  const tail = counts[0] ?? 0;
  const leaving = 1 / (LIKED_STAY_SLOTS + LIKED_STAY_SPREAD * fraction(mix(seed, 1)));
  let tired = fraction(mix(seed, firstSlot)) - tail;
  for (let index = 0; index < starts.length; index += 1) {
    const count = counts[index + 1] ?? 0;
    tired += (counts[index] ?? 0) * leaving;
    const settled = index < SHORTEST_STAY_SLOTS ? 0 : (ends[index - SHORTEST_STAY_SLOTS] ?? 0);
    const before = index === 0 ? -tail : (starts[index - 1] ?? 0);
    const crowdedOut = (index === 0 ? 0 : (ends[index - 1] ?? 0)) - count;
    const overstayed = index < LONGEST_STAY_SLOTS ? -tail : (ends[index - LONGEST_STAY_SLOTS] ?? 0);
    const farewell = index < FAREWELL_SLOTS ? ceil((tail * (index + 1)) / FAREWELL_SLOTS) - tail : 0;
    const start = max(before, min(floor(tired), settled), crowdedOut, overstayed, farewell);
    starts[index] = start;
    ends[index] = start + count;
  }
}

/** Size at which nobody repeats at once. */
export function leastRing(starts: Int32Array, ends: Int32Array): number {
  let least = 0;
  const last = ends.length - 1;
  for (let index = 0; index <= last; index += 1) {
    const soon = ends[min(last, index + SHORTEST_BREAK_SLOTS)] ?? 0;
    least = max(least, soon - max(0, starts[index] ?? 0));
  }
  return least;
}

export function usualRing(starts: Int32Array, ends: Int32Array): number {
  return max(leastRing(starts, ends), floor((ends.at(-1) ?? 0) / VISITS_A_PERIOD));
}
