import { DAY_SECONDS, SLOT_SECONDS } from '@lobbystats/contracts';
import { cached } from './bounded-cache.ts';
import { userOf, type User } from './usernames.ts';
import { playDay, type PlayDay, type PlayerDay, type PlaySpan } from './play-day.ts';
import { createPlayPeriods, type PlayOptions } from './play-periods.ts';
import type { Title } from './title.ts';

export interface Sighting {
  player: number;
  title: Title | null;
}

/** Consistent with `observe`: counts match, hosts are included, no user is in two titles. */
export interface Users {
  onlineAt(slot: number): readonly Sighting[];
  playersOfDay(instant: number, after?: number): Generator<PlayerDay>;
  playOf(instant: number, player: number): readonly PlaySpan[];
  userOf(player: number): User;
  frequentPlayers(count: number): readonly number[];
}

const MAX_CACHED_DAYS = 8;
const MAX_CACHED_STAYS = 2_500_000;

export function createUsers(options: PlayOptions): Users {
  const periods = createPlayPeriods(options);
  const cache = new Map<number, PlayDay>();

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
    userOf,
    frequentPlayers: (count) => periods.frequentPlayers(count),
  };

  function dayAt(instant: number): PlayDay {
    const number = Math.floor(instant / DAY_SECONDS);
    return cached(cache, number, () => playDay(periods, number), isFull);
  }

  function isFull(): boolean {
    const cachedStays = [...cache.values()].reduce((sum, { stays }) => sum + stays, 0);
    return cache.size > MAX_CACHED_DAYS || cachedStays > MAX_CACHED_STAYS;
  }
}
