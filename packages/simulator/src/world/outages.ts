import { mix, pickIndex } from './hash.ts';

const STRETCH_SLOTS = 2_880;
const SHORTEST_SLOTS = 6;
const LONGEST_SLOTS = 18;

export interface Outage {
  startInclusive: number;
  endExclusive: number;
}

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
