import type { SeriesStore } from '../src/open-store.ts';
import type { SlotBatch } from '../src/ingest/commits.queries.ts';
import { commitSlots as commit } from '../src/ingest/commit-slots.ts';
import { snapshot, type SlotSketch } from './observations.ts';

/** Commits slots with their match runs and returns the batch. */
export async function commitSlots(store: SeriesStore, slots: readonly [number, SlotSketch][]): Promise<SlotBatch> {
  let committed: SlotBatch | undefined;
  await commit(
    {
      ...store,
      commit: async (batch) => {
        committed = batch;
        await store.commit(batch);
      },
    },
    slots.map(([slot, sketch]) => snapshot(slot, sketch)),
  );
  if (committed === undefined) throw new Error('Nothing was committed');
  return committed;
}
