import { PERIOD_SLOTS } from './play-period.ts';
import type { PlayPeriod } from './play-period.ts';

/** Told of a player's stay in a seat, from slot to slot (slot numbers), both inclusive. */
type StayVisitor = (player: number, seat: number, from: number, to: number) => void;

/**
 * All stays of a period, cut at its borders, in no order that means anything: nobody is in two of them in one slot.
 * `before` is the period before it.
 */
export function visitStays(period: PlayPeriod, before: PlayPeriod, visit: StayVisitor): void {
  const { firstSlot, starts, ends, rings, hostings } = period;
  for (const { player, seat, from, to } of hostings) visit(player, seat, firstSlot + from, firstSlot + to);
  rings.forEach((_, seat) => {
    const first = seat * PERIOD_SLOTS;
    const last = first + PERIOD_SLOTS - 1;
    // Who comes first leaves first: each place looks on from where the one before it was found.
    let entered = first;
    let left = first;
    for (let place = starts[first] ?? 0; place < (ends[last] ?? 0); place += 1) {
      if (place >= 0) entered = firstAbove(ends, place, entered, last);
      left = firstAbove(starts, place, left, last);
      visit(playerAt(period, before, seat, place), seat, firstSlot + entered - first, firstSlot + left - 1 - first);
    }
  });
}

/** The first index from `from` on whose number is above `place`; the one after `last` when there is none. */
function firstAbove(numbers: Int32Array, place: number, from: number, last: number): number {
  let index = from;
  while (index <= last && (numbers[index] ?? 0) <= place) index += 1;
  return index;
}

/** Everybody who is online in a slot of the period, in no order that means anything. */
export function visitSlot(
  period: PlayPeriod,
  before: PlayPeriod,
  slotIndex: number,
  visit: (player: number, seat: number) => void,
): void {
  const slot = slotIndex - period.firstSlot;
  for (const { player, seat, from, to } of period.hostings) if (from <= slot && slot <= to) visit(player, seat);
  period.rings.forEach((_, seat) => {
    const at = seat * PERIOD_SLOTS + slot;
    for (let place = period.starts[at] ?? 0; place < (period.ends[at] ?? 0); place += 1) {
      visit(playerAt(period, before, seat, place), seat);
    }
  });
}

/** Whoever has a place of a seat's queue: below 0 the places of the period before go on. */
function playerAt(period: PlayPeriod, before: PlayPeriod, seat: number, place: number): number {
  const ring = (place < 0 ? before : period).rings[seat] ?? new Int32Array();
  const inRing = place < 0 ? place + (before.ends[(seat + 1) * PERIOD_SLOTS - 1] ?? 0) : place;
  return ring[inRing % ring.length] ?? 0;
}
