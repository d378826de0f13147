import { createCohorts } from './cohorts.ts';
import { mix } from './hash.ts';
import { playPeriod, PERIOD_SLOTS, PERIODS_PER_DAY } from './play-period.ts';
import type { PlayPeriod, SeatTitles } from './play-period.ts';
import { visitSlot, visitStays } from './play-stays.ts';
import type { OccupancyAt } from './slot-occupancy.ts';

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
    const period = cache.get(number) ?? playPeriod(number, { seed: mix(seed, 2), seats, cohorts, occupancyAt });
    cache.delete(number);
    cache.set(number, period);
    for (const oldest of cache.keys()) {
      if (cache.size <= maxPeriods) break;
      cache.delete(oldest);
    }
    return period;
  }
}

function numberOf(slotIndex: number): number {
  return Math.floor(slotIndex / PERIOD_SLOTS);
}
