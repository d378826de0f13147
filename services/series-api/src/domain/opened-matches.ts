import type { EpochSeconds } from '@lobbystats/contracts';
import type { SeriesWriter } from './series-writer.ts';
import type { SlotCluster } from './slot-clusters.ts';
import type { MatchSnapshot } from './snapshots.ts';

/** Matches whose first snapshot is in this slot. */
export interface OpenedMatches {
  slot: EpochSeconds;
  matches: MatchSnapshot[];
}

/**
 * Runs that begin in stored slots, as of their first snapshot.
 *
 * @param snapshots the matches observed in a slot
 */
export async function openedMatches(
  store: Pick<SeriesWriter, 'runsBetween'>,
  { first, last, slots }: SlotCluster,
  snapshots: (slot: EpochSeconds) => readonly MatchSnapshot[],
): Promise<OpenedMatches[]> {
  const runs = await store.runsBetween(first, last);
  const begun = new Set(runs.map(({ titleId, host, startedAt }) => keyOf(titleId, host, startedAt)));
  return slots
    .map((slot) => ({
      slot,
      matches: snapshots(slot).filter(({ titleId, host }) => begun.has(keyOf(titleId, host, slot))),
    }))
    .filter(({ matches }) => matches.length > 0);
}

/** Title IDs have a fixed length. */
function keyOf(titleId: string, host: string, startedAt: EpochSeconds): string {
  return `${startedAt} ${titleId}${host}`;
}
