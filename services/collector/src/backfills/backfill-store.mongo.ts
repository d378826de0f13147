import type { MongoStore } from '@lobbystats/mongo-store';
import type { BackfillState, BackfillStore } from './backfill-store.ts';
import { leasedDocument, type Leased } from '../leases/leased.mongo.ts';

interface BackfillRow extends BackfillState, Leased {
  _id: 'past';
}

export function createMongoBackfillStore(store: MongoStore): BackfillStore {
  const rows = store.collection<BackfillRow>('fill');
  const one = { _id: 'past' } as const;
  const stateNow = async () => {
    const row = await rows.findOne(one);
    return row === null ? undefined : stateOf(row);
  };

  return {
    ...leasedDocument(store, 'fill', one._id),

    begin: (range) =>
      store.run(async () => {
        const first = { ...range, doneFrom: range.toSlot, daysDone: false };
        await rows.updateOne(one, { $setOnInsert: { ...first, holder: null, leaseUntilMs: 0 } }, { upsert: true });
        return (await stateNow()) ?? first;
      }),

    state: () => store.run(stateNow),

    async markDaysDone() {
      await store.run(() => rows.updateOne(one, { $set: { daysDone: true } }));
    },

    async setDoneFrom(slot) {
      await store.run(() => rows.updateOne(one, { $min: { doneFrom: slot } }));
    },
  };
}

function stateOf({ fromSlot, toSlot, fromDay, toDay, doneFrom, daysDone }: BackfillRow): BackfillState {
  return { fromSlot, toSlot, fromDay, toDay, doneFrom, daysDone };
}
