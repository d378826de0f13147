import { PERIOD_SLOTS } from './play-period.ts';
import type { PlayPeriod } from './play-period.ts';

type StayVisitor = (player: number, seat: number, from: number, to: number) => void;

/** All stays of a period, cut at its borders. `before`: the period before. */
export function visitStays(period: PlayPeriod, before: PlayPeriod, visit: StayVisitor): void {
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
