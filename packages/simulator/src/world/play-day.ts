import { SLOT_SECONDS } from '../instants.ts';
import type { PlayPeriods } from './play-periods.ts';
import type { Title } from './title.ts';

const SLOTS_A_DAY = 288;

/** A time in which somebody was online in one title, or in none, without a break. */
export interface PlaySpan {
  /** `null`: online in no title. The title as it was: one that is renamed ends a span. */
  title: Title | null;
  /** The first slot and the last one, by their first seconds. */
  from: number;
  to: number;
}

/** Somebody's UTC day. */
export interface PlayerDay {
  player: number;
  /** By time; no two of them have a slot in common. */
  spans: readonly PlaySpan[];
}

/** The play of one UTC day. */
export interface PlayDay {
  /** How many stays of a player in a title there are: what the day takes in memory. */
  stays: number;
  /** Everybody who was online on that day and has a number greater than `after`, by number. */
  players(after: number): Generator<PlayerDay>;
  /** What one player did; none: they were not online. */
  spansOf(player: number): readonly PlaySpan[];
}

/** The play of a day (days since the Unix epoch), in memory: 14 bytes for each stay. */
export function playDay(periods: PlayPeriods, day: number): PlayDay {
  const firstSlot = day * SLOTS_A_DAY;
  const { sorted, seats, lasts } = sortedStays(periods, day);
  const stays = sorted.length;
  const titles = Array.from({ length: SLOTS_A_DAY }, (_, slot) => periods.titlesAt(firstSlot + slot));

  return {
    stays,
    *players(after) {
      for (let at = firstOf(after + 1); at < stays;) {
        const player = playerOf(at);
        const end = endOf(player, at);
        yield { player, spans: spansBetween(at, end) };
        at = end;
      }
    },
    spansOf(player) {
      const at = firstOf(player);
      return spansBetween(at, endOf(player, at));
    },
  };

  function playerOf(at: number): number {
    return Math.floor(keyOf(sorted[at] ?? 0) / SLOTS_A_DAY);
  }

  /** Exact, unlike the quotient rounded down. */
  function keyOf(number: number): number {
    return (number - (number % stays)) / stays;
  }

  function firstOf(player: number): number {
    const key = player * SLOTS_A_DAY * stays;
    let low = 0;
    let high = stays;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] ?? 0) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function endOf(player: number, from: number): number {
    let at = from;
    while (at < stays && playerOf(at) === player) at += 1;
    return at;
  }

  function spansBetween(from: number, end: number): PlaySpan[] {
    const spans: PlaySpan[] = [];
    for (let at = from; at < end; at += 1) {
      const number = sorted[at] ?? 0;
      const stay = number % stays;
      const first = keyOf(number) % SLOTS_A_DAY;
      addStay(spans, seats[stay] ?? 0, first, lasts[stay] ?? first);
    }
    return spans;
  }

  function addStay(spans: PlaySpan[], seat: number, first: number, last: number): void {
    for (let slot = first; slot <= last; slot += 1) {
      const at = (firstSlot + slot) * SLOT_SECONDS;
      const title = titles[slot]?.[seat] ?? null;
      const latest = spans.at(-1);
      if (latest?.to === at - SLOT_SECONDS && isSame(latest.title, title)) latest.to = at;
      else spans.push({ title, from: at, to: at });
    }
  }
}

/** A day's stays. In typed arrays alone, so that nothing else of what they are made from outlives this. */
interface SortedStays {
  /** By player and first slot: both in one number, and in its low digits which stay it is. */
  sorted: Float64Array;
  /** By stay. */
  seats: Int32Array;
  lasts: Int16Array;
}

function sortedStays(periods: PlayPeriods, day: number): SortedStays {
  const firstSlot = day * SLOTS_A_DAY;
  const keys: number[] = [];
  const seats: number[] = [];
  const lasts: number[] = [];
  periods.visitDay(day, (player, seat, from, to) => {
    keys.push(player * SLOTS_A_DAY + (from - firstSlot));
    seats.push(seat);
    lasts.push(to - firstSlot);
  });
  // Numbers alone are sorted many times faster than records.
  const sorted = Float64Array.from(keys, (key, stay) => key * keys.length + stay).sort();
  return { sorted, seats: Int32Array.from(seats), lasts: Int16Array.from(lasts) };
}

function isSame(one: Title | null, other: Title | null): boolean {
  return one === other || (one !== null && one.titleId === other?.titleId && one.name === other.name);
}
