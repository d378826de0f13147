import { createCohorts } from './cohorts.ts';
import { mix } from './hash.ts';
import { playPeriod, PERIOD_SLOTS, PERIODS_A_DAY } from './play-period.ts';
import type { PlayPeriod, SeatTitles } from './play-period.ts';
import { visitSlot, visitStays } from './play-stays.ts';
import type { CrowdAt } from './slot-crowd.ts';

const MOST_KEPT = 24;
const FEWEST_KEPT = 4;
const MOST_CELLS_KEPT = 2_000_000;

export interface PlayOptions {
  seed: number;
  players: number;
  expected: Float64Array;
  crowdAt: CrowdAt;
}

export interface PlayPeriods {
  faithful(count: number): number[];
  titlesAt(slotIndex: number): SeatTitles;
  visitOnline(slotIndex: number, visit: (player: number, seat: number) => void): void;
  visitDay(day: number, visit: (player: number, seat: number, from: number, to: number) => void): void;
}

export function createPlayPeriods({ seed, players, expected, crowdAt }: PlayOptions): PlayPeriods {
  const cohorts = createCohorts(mix(seed, 1), players, expected);
  const seats = expected.length + 1;
  const mostKept = Math.max(FEWEST_KEPT, Math.min(MOST_KEPT, Math.floor(MOST_CELLS_KEPT / (seats * PERIOD_SLOTS))));
  const kept = new Map<number, PlayPeriod>();

  return {
    faithful: (count) => cohorts.faithful(count),
    titlesAt: (slotIndex) => {
      const period = periodAt(numberOf(slotIndex));
      return period.titles[slotIndex - period.firstSlot] ?? [];
    },
    visitOnline(slotIndex, visit) {
      const number = numberOf(slotIndex);
      visitSlot(periodAt(number), periodAt(number - 1), slotIndex, visit);
    },
    visitDay(day, visit) {
      for (let number = day * PERIODS_A_DAY; number < (day + 1) * PERIODS_A_DAY; number += 1) {
        visitStays(periodAt(number), periodAt(number - 1), visit);
      }
    },
  };

  function periodAt(number: number): PlayPeriod {
    const period = kept.get(number) ?? playPeriod(number, { seed: mix(seed, 2), seats, cohorts, crowdAt });
    kept.delete(number);
    kept.set(number, period);
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break;
      kept.delete(oldest);
    }
    return period;
  }
}

function numberOf(slotIndex: number): number {
  return Math.floor(slotIndex / PERIOD_SLOTS);
}
