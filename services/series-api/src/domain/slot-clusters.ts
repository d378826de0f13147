import { DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';

export interface SlotCluster {
  first: EpochSeconds;
  last: EpochSeconds;
  slots: EpochSeconds[];
}

/** Groups slots at least a day apart, so that a batch with an old and a new slot doesn't read the time between. */
export function clusterSlots(slots: Iterable<EpochSeconds>): SlotCluster[] {
  const clusters: SlotCluster[] = [];
  for (const slot of [...slots].sort((a, b) => a - b)) {
    const cluster = clusters.at(-1);
    if (cluster === undefined || slot - cluster.last >= DAY_SECONDS) {
      clusters.push({ first: slot, last: slot, slots: [slot] });
    } else {
      cluster.last = slot;
      cluster.slots.push(slot);
    }
  }
  return clusters;
}
