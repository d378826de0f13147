import { DAY_SECONDS, SLOT_SECONDS, SLOTS_PER_DAY, type EpochSeconds } from '@lobbystats/contracts';

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

export function hasBit(bits: Uint8Array, index: number): boolean {
  return ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

export function setBit(bits: Uint8Array, index: number): void {
  bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
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
