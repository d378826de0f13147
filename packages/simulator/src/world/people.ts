import { DAY_SECONDS, SLOT_SECONDS } from '../instants.ts';
import { personOf } from './person.ts';
import type { Person } from './person.ts';
import { playDay } from './play-day.ts';
import type { PlayDay, PlayerDay, PlaySpan } from './play-day.ts';
import { createPlayPeriods } from './play-periods.ts';
import type { PlayOptions } from './play-periods.ts';
import type { Title } from './title.ts';

/** Somebody who is online in a slot. */
export interface Sighting {
  /** The player's number: the same one at any time. */
  player: number;
  /** `null`: in no title. */
  title: Title | null;
}

/**
 * The people of the network, consistent with all that it says of slots: in each one as many are in a title, and in none,
 * as `observe` counts; hosts of open matches are among them; nobody is in two titles. People stay for some minutes up to a
 * few hours, as what is counted allows; each has a time of the day at which to play, and many have a title of their own.
 */
export interface People {
  /** Everybody who is online in a slot, by player. */
  onlineAt(slot: number): readonly Sighting[];
  /** Everybody who is online on the UTC day of an instant and has a number greater than `after`, by player. */
  playersOfDay(instant: number, after?: number): Generator<PlayerDay>;
  /** When and in what a player is online on the UTC day of an instant, by time. */
  playOf(instant: number, player: number): readonly PlaySpan[];
  /** Who a player is. */
  personOf(player: number): Person;
  /** At most `count` players whom one meets nearly every day, the same ones at any time: those of much played titles first. */
  faithfulPlayers(count: number): readonly number[];
}

/** Days that were asked for last are kept: a week and today, fewer where much is played. */
const MOST_DAYS_KEPT = 8;
const MOST_STAYS_KEPT = 2_500_000;

/** The people of a world. */
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
