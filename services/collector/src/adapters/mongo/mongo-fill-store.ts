import type { MongoStore } from '@lobbystats/mongo-store';
import type { FillState, FillStore } from '../../domain/fill-store.ts';
import { leasedDocument, type Leased } from './leased.ts';

interface FillRow extends FillState, Leased {
  _id: 'past';
}

export function createMongoFillStore(store: MongoStore): FillStore {
  const rows = store.collection<FillRow>('fill');
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

    async daysDone() {
      await store.run(() => rows.updateOne(one, { $set: { daysDone: true } }));
    },

    async doneFrom(slot) {
      await store.run(() => rows.updateOne(one, { $min: { doneFrom: slot } }));
    },
  };
}

function stateOf({ fromSlot, toSlot, fromDay, toDay, doneFrom, daysDone }: FillRow): FillState {
  return { fromSlot, toSlot, fromDay, toDay, doneFrom, daysDone };
}
