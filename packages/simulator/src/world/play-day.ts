import { SLOT_SECONDS, SLOTS_PER_DAY } from '@lobbystats/contracts';
import type { PlayPeriods } from './play-periods.ts';
import type { Title } from './title.ts';

export interface PlaySpan {
  title: Title | null;
  from: number;
  to: number;
}

export interface PlayerDay {
  player: number;
  spans: readonly PlaySpan[];
}

export interface PlayDay {
  stays: number;
  players(after: number): Generator<PlayerDay>;
  spansOf(player: number): readonly PlaySpan[];
}

export function playDay(periods: PlayPeriods, day: number): PlayDay {
  const firstSlot = day * SLOTS_PER_DAY;
  const { sorted, seats, lasts } = sortedStays(periods, day);
  const stays = sorted.length;
  const titles = Array.from({ length: SLOTS_PER_DAY }, (_, slot) => periods.titlesAt(firstSlot + slot));

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
    return Math.floor(keyOf(sorted[at] ?? 0) / SLOTS_PER_DAY);
  }

  /** Integer division without floating-point rounding. */
  function keyOf(number: number): number {
    return (number - (number % stays)) / stays;
  }

  function firstOf(player: number): number {
    const key = player * SLOTS_PER_DAY * stays;
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
      const first = keyOf(number) % SLOTS_PER_DAY;
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

interface SortedStays {
  /** Player and first slot in one number, the stay in its low digits. */
  sorted: Float64Array;
  seats: Int32Array;
  lasts: Int16Array;
}

function sortedStays(periods: PlayPeriods, day: number): SortedStays {
  const firstSlot = day * SLOTS_PER_DAY;
  const keys: number[] = [];
  const seats: number[] = [];
  const lasts: number[] = [];
  periods.visitDay(day, (player, seat, from, to) => {
    keys.push(player * SLOTS_PER_DAY + (from - firstSlot));
    seats.push(seat);
    lasts.push(to - firstSlot);
  });
  const sorted = Float64Array.from(keys, (key, stay) => key * keys.length + stay).sort();
  return { sorted, seats: Int32Array.from(seats), lasts: Int16Array.from(lasts) };
}

function isSame(one: Title | null, other: Title | null): boolean {
  return one === other || (one !== null && one.titleId === other?.titleId && one.name === other.name);
}
