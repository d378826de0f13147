import type { Cohorts } from './cohorts.ts';
import { mix, pickIndex, fraction } from './hash.ts';

const { ceil, floor, max, min } = Math;

interface RingSize {
  least: number;
  usual: number;
}

export interface RingOptions {
  seed: number;
  period: number;
  sizes: readonly RingSize[];
  cohorts: Cohorts;
  busy: ReadonlySet<number>;
}

/** Each user is in one ring at most: regulars, displaced regulars, then visitors. */
export function fillRings({ seed, period, sizes, cohorts, busy }: RingOptions): Int32Array[] {
  const share = optionalShare(sizes, cohorts.visitorCount(period) - busy.size);
  const regulars = cohorts.regularsIn(period).map((players) => players.filter((player) => !busy.has(player)));
  const lengths = sizes.map(({ least, usual }) => least + floor((usual - least) * share));
  const displaced = regulars.flatMap((players, seat) => players.slice(lengths[seat])).values();
  const visitors = cohorts.visitorsOf(period);
  return lengths.map((length, seat) => {
    const present = regulars[seat] ?? [];
    const ring = Int32Array.from({ length }, (_, index) => present[index] ?? displaced.next().value ?? nextVisitor());
    return shuffled(ring, mix(mix(seed, period), seat));
  });

  function nextVisitor(): number {
    for (;;) {
      const player = visitors.next().value;
      if (!busy.has(player)) return player;
    }
  }
}

function optionalShare(sizes: readonly RingSize[], users: number): number {
  const needed = sizes.reduce((sum, { least }) => sum + least, 0);
  const optional = sizes.reduce((sum, { usual, least }) => sum + usual - least, 0);
  return min(1, max(0, users - needed) / max(1, optional));
}

function shuffled(ring: Int32Array, seed: number): Int32Array {
  for (let last = ring.length - 1; last > 0; last -= 1) {
    const other = pickIndex(mix(seed, last), last + 1);
    const player = ring[last] ?? 0;
    ring[last] = ring[other] ?? 0;
    ring[other] = player;
  }
  return ring;
}

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
