import { fraction, mix } from './hash.ts';

const { ceil, floor, max, min } = Math;

const MAX_STAY_SLOTS = 40;
const MIN_STAY_SLOTS = 2;

export const HANDOVER_SLOTS = 24;

const PREFERRED_STAY_SLOTS = 12;
const PREFERRED_STAY_SPREAD = 24;

const MIN_BREAK_SLOTS = 6;

const VISITS_PER_PERIOD = 1.8;

export interface SeatCounts {
  counts: Int32Array;
  seed: number;
  firstSlot: number;
}

/** A window over an infinite queue, as wide as the count, that never moves back, so that stays are contiguous. */
export function computeWindows({ counts, seed, firstSlot }: SeatCounts, starts: Int32Array, ends: Int32Array): void {
  const tail = counts[0] ?? 0;
  const leaving = 1 / (PREFERRED_STAY_SLOTS + PREFERRED_STAY_SPREAD * fraction(mix(seed, 1)));
  let departures = fraction(mix(seed, firstSlot)) - tail;
  for (let index = 0; index < starts.length; index += 1) {
    const count = counts[index + 1] ?? 0;
    departures += (counts[index] ?? 0) * leaving;
    const settled = index < MIN_STAY_SLOTS ? 0 : (ends[index - MIN_STAY_SLOTS] ?? 0);
    const before = index === 0 ? -tail : (starts[index - 1] ?? 0);
    const displaced = (index === 0 ? 0 : (ends[index - 1] ?? 0)) - count;
    const overstayed = index < MAX_STAY_SLOTS ? -tail : (ends[index - MAX_STAY_SLOTS] ?? 0);
    const handover = index < HANDOVER_SLOTS ? ceil((tail * (index + 1)) / HANDOVER_SLOTS) - tail : 0;
    const start = max(before, min(floor(departures), settled), displaced, overstayed, handover);
    starts[index] = start;
    ends[index] = start + count;
  }
}

/** Smallest size at which no player returns without a break. */
export function minRingSize(starts: Int32Array, ends: Int32Array): number {
  let least = 0;
  const last = ends.length - 1;
  for (let index = 0; index <= last; index += 1) {
    const soon = ends[min(last, index + MIN_BREAK_SLOTS)] ?? 0;
    least = max(least, soon - max(0, starts[index] ?? 0));
  }
  return least;
}

export function typicalRingSize(starts: Int32Array, ends: Int32Array): number {
  return max(minRingSize(starts, ends), floor((ends.at(-1) ?? 0) / VISITS_PER_PERIOD));
}
