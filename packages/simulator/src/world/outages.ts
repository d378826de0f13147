import { mix, pickIndex } from './hash.ts';

/** One outage falls somewhere into each stretch of ten days. */
const STRETCH_SLOTS = 2_880;
const SHORTEST_SLOTS = 6;
const LONGEST_SLOTS = 18;

/** A time in which the network is nearly empty, in slot numbers (epoch seconds / 300). */
export interface Outage {
  startInclusive: number;
  endExclusive: number;
}

/** The outage that goes on in a slot or, when none does, the last one before it. */
export function latestOutage(seed: number, slotIndex: number): Outage {
  const stretch = Math.floor(slotIndex / STRETCH_SLOTS);
  const current = outageOf(seed, stretch);
  return current.startInclusive <= slotIndex ? current : outageOf(seed, stretch - 1);
}

function outageOf(seed: number, stretch: number): Outage {
  const hash = mix(seed, stretch);
  const length = SHORTEST_SLOTS + pickIndex(mix(hash, 1), LONGEST_SLOTS - SHORTEST_SLOTS + 1);
  const startInclusive = stretch * STRETCH_SLOTS + pickIndex(mix(hash, 2), STRETCH_SLOTS - LONGEST_SLOTS);
  return { startInclusive, endExclusive: startInclusive + length };
}
