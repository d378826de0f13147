import { DAY_SECONDS, SLOT_SECONDS, SLOTS_PER_DAY, type EpochSeconds } from '@lobbystats/contracts';
import type { PlayDay } from './user-record.ts';

/** One bit for each slot, lowest bit first. */
export const DAY_BYTES = SLOTS_PER_DAY / 8;

export function dayOf(at: EpochSeconds): number {
  return Math.floor(at / DAY_SECONDS);
}

export function indexOf(at: EpochSeconds): number {
  return Math.floor((at - dayOf(at) * DAY_SECONDS) / SLOT_SECONDS);
}

export function slotAt(day: number, index: number): EpochSeconds {
  return day * DAY_SECONDS + index * SLOT_SECONDS;
}

export function slotsIn(day: number, bits: Uint8Array): EpochSeconds[] {
  const slots: EpochSeconds[] = [];
  for (const [byte, value] of bits.entries()) {
    for (let bit = 0; value >> bit !== 0; bit += 1) {
      if (((value >> bit) & 1) !== 0) slots.push(slotAt(day, byte * 8 + bit));
    }
  }
  return slots;
}

export function hasBit(bits: Uint8Array, index: number): boolean {
  return ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

export function setBit(bits: Uint8Array, index: number): void {
  bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
}

export function clearBit(bits: Uint8Array, index: number): void {
  bits[index >> 3] = (bits[index >> 3] ?? 0) & ~(1 << (index & 7));
}

export function setBits(bits: Uint8Array, first: number, last: number): void {
  for (let index = first; index <= last; index += 1) {
    if ((index & 7) === 0 && index + 7 <= last) {
      bits[index >> 3] = 0xff;
      index += 7;
    } else setBit(bits, index);
  }
}

export function countBits(bits: Uint8Array): number {
  let count = 0;
  for (let rest of bits) for (; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

export function highestBit(bits: Uint8Array): number {
  for (let byte = bits.length - 1; byte >= 0; byte -= 1) {
    const value = bits[byte] ?? 0;
    if (value !== 0) return byte * 8 + 31 - Math.clz32(value);
  }
  return -1;
}

export type DayTitles = PlayDay['titles'];

export interface DayChange {
  readonly day: number;
  readonly before: DayTitles;
  readonly after: DayTitles;
}

const NO_SLOTS = new Uint8Array(DAY_BYTES);

/**
 * Merges claimed slots into a day. Of several titles that claim a slot the lowest titleId wins, so order doesn't matter.
 * Returns undefined without a change; unchanged bitmaps are the same objects.
 */
export function mergeDay(before: DayTitles, claims: DayTitles): DayTitles | undefined {
  const taken = new Uint8Array(DAY_BYTES);
  const after = new Map<string, Uint8Array>();
  let isChanged = false;
  for (const titleId of unionOfTitles(before, claims)) {
    const held = before.get(titleId) ?? NO_SLOTS;
    const bits = mergeBits(held, claims.get(titleId) ?? NO_SLOTS, taken);
    if (bits !== held) isChanged = true;
    if (bits.some((byte) => byte !== 0)) after.set(titleId, bits);
  }
  return isChanged ? after : undefined;
}

function unionOfTitles(before: DayTitles, claims: DayTitles): string[] {
  const titleIds = [...before.keys()];
  for (const titleId of claims.keys()) if (!before.has(titleId)) titleIds.push(titleId);
  return titleIds.sort();
}

/** Adds claimed slots that are not taken; returns `held` itself when unchanged. */
function mergeBits(held: Uint8Array, claimed: Uint8Array, taken: Uint8Array): Uint8Array {
  let bits = held;
  for (let byte = 0; byte < DAY_BYTES; byte += 1) {
    const was = held[byte] ?? 0;
    const others = taken[byte] ?? 0;
    const is = (was | (claimed[byte] ?? 0)) & ~others;
    taken[byte] = others | is;
    if (is === was) continue;
    if (bits === held) bits = new Uint8Array(held);
    bits[byte] = is;
  }
  return bits;
}
