import { randomUUID } from 'node:crypto';
import type { Withdrawal } from '@lobbystats/contracts';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { WithdrawalStore } from './withdrawal-store.ts';

export function createMongoWithdrawalStore(store: MongoStore): WithdrawalStore {
  const rows = store.collection<Withdrawal & { _id: string }>('withdrawal');
  return {
    add: async (withdrawal) => {
      await store.run(() => rows.insertOne({ _id: randomUUID(), ...withdrawal }));
    },
    pending: async () => {
      const found = await store.run(() => rows.find({}).toArray());
      return new Map(found.map(({ _id, ...withdrawal }) => [_id, withdrawal]));
    },
    remove: async (id) => {
      await store.run(() => rows.deleteOne({ _id: id }));
    },
  };
}
