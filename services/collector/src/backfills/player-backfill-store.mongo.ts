import type { MongoStore } from '@lobbystats/mongo-store';
import type { PlayerBackfillState, PlayerBackfillStore } from './player-backfill-store.ts';
import { leasedDocument, type Leased } from '../leases/leased.mongo.ts';

interface BackfillRow extends PlayerBackfillState, Leased {
  _id: 'players';
}

export function createMongoPlayerBackfillStore(store: MongoStore): PlayerBackfillStore {
  const rows = store.collection<BackfillRow>('player_fill');
  const one = { _id: 'players' } as const;
  const stateNow = async (): Promise<PlayerBackfillState | undefined> => {
    const row = await rows.findOne(one);
    if (row === null) return undefined;
    const { from, to, cursor, isDone } = row;
    return { from, to, cursor, isDone };
  };
  return {
    ...leasedDocument(store, 'player_fill', one._id),

    begin: (range) =>
      store.run(async () => {
        const first = { ...range, cursor: null, isDone: false };
        await rows.updateOne(one, { $setOnInsert: { ...first, holder: null, leaseUntilMs: 0 } }, { upsert: true });
        return (await stateNow()) ?? first;
      }),

    state: () => store.run(stateNow),

    async advance(cursor, next) {
      const here = { ...one, cursor, isDone: false };
      await store.run(() => rows.updateOne(here, { $set: { cursor: next, isDone: next === null } }));
    },
  };
}
