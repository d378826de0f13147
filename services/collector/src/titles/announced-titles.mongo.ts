import type { MongoStore } from '@lobbystats/mongo-store';
import type { AnnouncedTitle, AnnouncedTitles } from './announced-titles.ts';

interface TitleRow extends Partial<AnnouncedTitle> {
  _id: string;
}

export function createMongoAnnouncedTitles(store: MongoStore): AnnouncedTitles {
  const rows = store.collection<TitleRow>('title');
  return {
    async all() {
      const all = await store.run(() => rows.find().toArray());
      return new Map(all.map((row) => [row._id, titleOf(row)]));
    },

    async get(titleId) {
      const row = await store.run(() => rows.findOne({ _id: titleId }));
      return row === null ? undefined : titleOf(row);
    },

    async recordHomes(digests) {
      if (digests.size === 0) return;
      const updates = [...digests].map(([_id, home]) => ({
        updateOne: { filter: { _id }, update: { $set: { home } }, upsert: true },
      }));
      await store.run(() => rows.bulkWrite(updates, { ordered: false }));
    },

    async recordPage(titleId, digest, slot) {
      const fields = { pageSlot: slot, ...(digest !== null && { page: digest }) };
      await store.run(() => rows.updateOne({ _id: titleId }, { $set: fields }, { upsert: true }));
    },
  };
}

function titleOf({ home = null, page = null, pageSlot = null }: TitleRow): AnnouncedTitle {
  return { home, page, pageSlot };
}
