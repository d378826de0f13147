import { fraction, mix } from './hash.ts';

const { ceil, floor, max, min } = Math;

/** Nobody stays longer than this within a period, nor less than that where the counts allow it. */
const LONGEST_STAY_SLOTS = 40;
const SHORTEST_STAY_SLOTS = 2;

/** After so many slots of a period the last one of the period before has left. */
export const FAREWELL_SLOTS = 24;

/** How long people like to stay: from an hour to three, another time in each seat. */
const LIKED_STAY_SLOTS = 12;
const LIKED_STAY_SPREAD = 24;

/** Who has left comes back after this many slots at the earliest. */
const SHORTEST_BREAK_SLOTS = 6;

/** How many people come for each place of a seat's ring, on average. */
const VISITS_A_PERIOD = 1.8;

/** How many people are in a seat, slot by slot, and in which order they come and go. */
export interface SeatCounts {
  /** The slot before the period, then each slot of it. */
  counts: Int32Array;
  seed: number;
  /** The number of the period's first slot. */
  firstSlot: number;
}

/**
 * Lays a window over an endless queue of people: in slot `i` of the period those in places `starts[i]` (inclusive) to
 * `ends[i]` (exclusive) are there. The window is exactly as wide as the count and never goes back, so each stays without
 * a break, and who came first leaves first. Places below 0 are those of the people who were there before the period.
 */
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

/** How many people a ring needs so that it can be gone round without anybody being there twice or coming back at once. */
export function leastRing(starts: Int32Array, ends: Int32Array): number {
  let least = 0;
  const last = ends.length - 1;
  for (let index = 0; index <= last; index += 1) {
    const soon = ends[min(last, index + SHORTEST_BREAK_SLOTS)] ?? 0;
    least = max(least, soon - max(0, starts[index] ?? 0));
  }
  return least;
}

/** How many people a ring has where there are enough: each of them has a stay in the period, some have two. */
export function usualRing(starts: Int32Array, ends: Int32Array): number {
  return max(leastRing(starts, ends), floor((ends.at(-1) ?? 0) / VISITS_A_PERIOD));
}
