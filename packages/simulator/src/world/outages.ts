import { mix, pickIndex } from './hash.ts';

const OUTAGE_INTERVAL_SLOTS = 2_880;
const MIN_OUTAGE_SLOTS = 6;
const MAX_OUTAGE_SLOTS = 18;

export interface Outage {
  startInclusive: number;
  endExclusive: number;
}

export function latestOutage(seed: number, slotIndex: number): Outage {
  const stretch = Math.floor(slotIndex / OUTAGE_INTERVAL_SLOTS);
  const current = outageOf(seed, stretch);
  return current.startInclusive <= slotIndex ? current : outageOf(seed, stretch - 1);
}

function outageOf(seed: number, stretch: number): Outage {
  const hash = mix(seed, stretch);
  const length = MIN_OUTAGE_SLOTS + pickIndex(mix(hash, 1), MAX_OUTAGE_SLOTS - MIN_OUTAGE_SLOTS + 1);
  const startInclusive =
    stretch * OUTAGE_INTERVAL_SLOTS + pickIndex(mix(hash, 2), OUTAGE_INTERVAL_SLOTS - MAX_OUTAGE_SLOTS);
  return { startInclusive, endExclusive: startInclusive + length };
}
