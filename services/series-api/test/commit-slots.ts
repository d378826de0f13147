import { MATCH_GAP_SECONDS } from '@lobbystats/contracts';
import { extendRuns } from '../src/matches/match-runs.ts';
import type { SeriesStore, SlotBatch } from '../src/database/series-store.ts';
import { snapshot, type SlotSketch } from './observations.ts';

/** Commits slots with their match runs and returns the batch. */
export async function commitSlots(store: SeriesStore, slots: readonly [number, SlotSketch][]): Promise<SlotBatch> {
  const snapshots = slots.map(([slot, sketch]) => snapshot(slot, sketch));
  const times = slots.map(([slot]) => slot);
  const around = await store.runsBetween(
    Math.min(...times) - MATCH_GAP_SECONDS,
    Math.max(...times) + MATCH_GAP_SECONDS,
  );
  const runs = extendRuns(
    around,
    snapshots.flatMap(({ matches }) => matches),
  );
  const batch = { slots: snapshots, runs };
  await store.commit(batch);
  return batch;
}
