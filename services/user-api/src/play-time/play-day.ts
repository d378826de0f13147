import { DAY_BYTES } from './slot-bits.ts';
import type { PlayDay } from '../users/user-record.ts';

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
