import { DAY_SECONDS, SLOT_SECONDS } from '../instants.ts';
import { personOf } from './person.ts';
import type { Person } from './person.ts';
import { playDay } from './play-day.ts';
import type { PlayDay, PlayerDay, PlaySpan } from './play-day.ts';
import { createPlayPeriods } from './play-periods.ts';
import type { PlayOptions } from './play-periods.ts';
import type { Title } from './title.ts';

export interface Sighting {
  player: number;
  title: Title | null;
}

/** Consistent with `observe`: counts match, hosts are included, nobody is in two titles. */
export interface People {
  onlineAt(slot: number): readonly Sighting[];
  playersOfDay(instant: number, after?: number): Generator<PlayerDay>;
  playOf(instant: number, player: number): readonly PlaySpan[];
  personOf(player: number): Person;
  faithfulPlayers(count: number): readonly number[];
}

const MOST_DAYS_KEPT = 8;
const MOST_STAYS_KEPT = 2_500_000;

export function createPeople(options: PlayOptions): People {
  const periods = createPlayPeriods(options);
  const kept = new Map<number, PlayDay>();

  return {
    onlineAt(slot) {
      const index = Math.floor(slot / SLOT_SECONDS);
      const titles = periods.titlesAt(index);
      const sightings: Sighting[] = [];
      periods.visitOnline(index, (player, seat) => sightings.push({ player, title: titles[seat] ?? null }));
      return sightings.sort((one, other) => one.player - other.player);
    },
    playersOfDay: (instant, after = -1) => dayAt(instant).players(after),
    playOf: (instant, player) => dayAt(instant).spansOf(player),
    personOf,
    faithfulPlayers: (count) => periods.faithful(count),
  };

  function dayAt(instant: number): PlayDay {
    const number = Math.floor(instant / DAY_SECONDS);
    const day = kept.get(number) ?? playDay(periods, number);
    kept.delete(number);
    kept.set(number, day);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_DAYS_KEPT && staysIn(kept) <= MOST_STAYS_KEPT) break;
      if (oldest !== number) kept.delete(oldest);
    }
    return day;
  }
}

function staysIn(days: ReadonlyMap<number, PlayDay>): number {
  return [...days.values()].reduce((sum, { stays }) => sum + stays, 0);
}
