import { cached } from './bounded-cache.ts';
import { createCohorts } from './cohorts.ts';
import { mix } from './hash.ts';
import {
  playPeriod,
  PERIOD_SLOTS,
  PERIODS_PER_DAY,
  type PlayPeriod,
  type SeatTitles,
  type OccupancyAt,
} from './play-period.ts';

const MAX_CACHED_PERIODS = 24;
const MIN_CACHED_PERIODS = 4;
const MAX_CACHED_CELLS = 2_000_000;

export interface PlayOptions {
  seed: number;
  players: number;
  expected: Float64Array;
  occupancyAt: OccupancyAt;
}

export interface PlayPeriods {
  frequentPlayers(count: number): number[];
  titlesAt(slotIndex: number): SeatTitles;
  visitOnline(slotIndex: number, visit: (player: number, seat: number) => void): void;
  visitDay(day: number, visit: (player: number, seat: number, from: number, to: number) => void): void;
}

export function createPlayPeriods({ seed, players, expected, occupancyAt }: PlayOptions): PlayPeriods {
  const cohorts = createCohorts(mix(seed, 1), players, expected);
  const seats = expected.length + 1;
  const maxPeriods = Math.max(
    MIN_CACHED_PERIODS,
    Math.min(MAX_CACHED_PERIODS, Math.floor(MAX_CACHED_CELLS / (seats * PERIOD_SLOTS))),
  );
  const cache = new Map<number, PlayPeriod>();

  return {
    frequentPlayers: (count) => cohorts.frequentPlayers(count),
    titlesAt: (slotIndex) => {
      const period = periodAt(numberOf(slotIndex));
      return period.titles[slotIndex - period.firstSlot] ?? [];
    },
    visitOnline(slotIndex, visit) {
      const number = numberOf(slotIndex);
      visitSlot(periodAt(number), periodAt(number - 1), slotIndex, visit);
    },
    visitDay(day, visit) {
      for (let number = day * PERIODS_PER_DAY; number < (day + 1) * PERIODS_PER_DAY; number += 1) {
        visitStays(periodAt(number), periodAt(number - 1), visit);
      }
    },
  };

  function periodAt(number: number): PlayPeriod {
    const compute = () => playPeriod(number, { seed: mix(seed, 2), seats, cohorts, occupancyAt });
    return cached(cache, number, compute, () => cache.size > maxPeriods);
  }
}

function numberOf(slotIndex: number): number {
  return Math.floor(slotIndex / PERIOD_SLOTS);
}

type StayVisitor = (player: number, seat: number, from: number, to: number) => void;

/** All stays of a period, cut at its borders. `before`: the period before. */
function visitStays(period: PlayPeriod, before: PlayPeriod, visit: StayVisitor): void {
  const { firstSlot, starts, ends, rings, hostings } = period;
  for (const { player, seat, from, to } of hostings) visit(player, seat, firstSlot + from, firstSlot + to);
  rings.forEach((_, seat) => {
    const first = seat * PERIOD_SLOTS;
    const last = first + PERIOD_SLOTS - 1;
    let entered = first;
    let left = first;
    for (let position = starts[first] ?? 0; position < (ends[last] ?? 0); position += 1) {
      if (position >= 0) entered = firstAbove(ends, position, entered, last);
      left = firstAbove(starts, position, left, last);
      visit(playerAt(period, before, seat, position), seat, firstSlot + entered - first, firstSlot + left - 1 - first);
    }
  });
}

/** The index after `last` when there is none. */
function firstAbove(numbers: Int32Array, position: number, from: number, last: number): number {
  let index = from;
  while (index <= last && (numbers[index] ?? 0) <= position) index += 1;
  return index;
}

function visitSlot(
  period: PlayPeriod,
  before: PlayPeriod,
  slotIndex: number,
  visit: (player: number, seat: number) => void,
): void {
  const slot = slotIndex - period.firstSlot;
  for (const { player, seat, from, to } of period.hostings) if (from <= slot && slot <= to) visit(player, seat);
  period.rings.forEach((_, seat) => {
    const at = seat * PERIOD_SLOTS + slot;
    for (let position = period.starts[at] ?? 0; position < (period.ends[at] ?? 0); position += 1) {
      visit(playerAt(period, before, seat, position), seat);
    }
  });
}

function playerAt(period: PlayPeriod, before: PlayPeriod, seat: number, position: number): number {
  const ring = (position < 0 ? before : period).rings[seat] ?? new Int32Array();
  const inRing = position < 0 ? position + (before.ends[(seat + 1) * PERIOD_SLOTS - 1] ?? 0) : position;
  return ring[inRing % ring.length] ?? 0;
}
