import type { MongoStore } from '@lobbystats/mongo-store';
import type { TitleMemo, TitleMemory } from '../../domain/title-memory.ts';

interface TitleRow extends Partial<TitleMemo> {
  _id: string;
}

export function createMongoTitleMemory(store: MongoStore): TitleMemory {
  const rows = store.collection<TitleRow>('title');
  return {
    async all() {
      const all = await store.run(() => rows.find().toArray());
      return new Map(all.map((row) => [row._id, memoOf(row)]));
    },

    async recall(titleId) {
      const row = await store.run(() => rows.findOne({ _id: titleId }));
      return row === null ? undefined : memoOf(row);
    },

    async saidHomes(digests) {
      if (digests.size === 0) return;
      const updates = [...digests].map(([_id, home]) => ({
        updateOne: { filter: { _id }, update: { $set: { home } }, upsert: true },
      }));
      await store.run(() => rows.bulkWrite(updates, { ordered: false }));
    },

    async saidPage(titleId, digest, slot) {
      const said = { pageSlot: slot, ...(digest !== null && { page: digest }) };
      await store.run(() => rows.updateOne({ _id: titleId }, { $set: said }, { upsert: true }));
    },
  };
}

function memoOf({ home = null, page = null, pageSlot = null }: TitleRow): TitleMemo {
  return { home, page, pageSlot };
}
