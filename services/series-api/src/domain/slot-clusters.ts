import { DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';

/** Slots that lie close together, ascending; never empty. */
export interface SlotCluster {
  first: EpochSeconds;
  last: EpochSeconds;
  slots: EpochSeconds[];
}

/**
 * Parts slots into groups at least a day apart: a batch that brings an old day and the newest slot asks for the
 * surroundings of both, and not for the month between them.
 */
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
