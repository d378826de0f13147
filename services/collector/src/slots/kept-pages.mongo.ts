import type { MongoStore } from '@lobbystats/service-kit/mongo';
import { keptPage, nameOf, type KeptPage, type KeptPages } from './kept-pages.ts';

interface KeptRow {
  /** Slot and name. */
  _id: string;
  slot: number;
  name: string;
  description: string;
  bytes: number;
  body: Buffer;
}

export function createMongoKeptPages(store: MongoStore): KeptPages {
  const rows = store.collection<KeptRow>('kept_page');
  const idOf = (page: KeptPage) => `${page.slot} ${nameOf(page)}`;
  return {
    async put(page, body, description) {
      const row = { slot: page.slot, name: nameOf(page), description, bytes: body.length, body };
      await store.run(() => rows.updateOne({ _id: idOf(page) }, { $set: row }, { upsert: true }));
    },

    due: (description, before) =>
      store.run(async () => {
        const other = { slot: { $lt: before }, description: { $ne: description } };
        const first = await rows.findOne(other, { sort: { slot: 1 }, projection: { slot: 1 } });
        if (first === null) return [];
        const found = await rows.find({ slot: first.slot }, { projection: { slot: 1, name: 1 } }).toArray();
        return found.map(({ slot, name }) => keptPage(slot, name));
      }),

    async body(page) {
      return (await store.run(() => rows.findOne({ _id: idOf(page) }, { projection: { body: 1 } })))?.body;
    },

    async deleteOthers(slot, description) {
      await store.run(() => rows.deleteMany({ slot, description: { $ne: description } }));
    },

    async forget(from, to) {
      await store.run(() => rows.deleteMany({ slot: { $gte: from, $lte: to } }));
    },

    async trim(before, maxBytes) {
      await store.run(async () => {
        await rows.deleteMany({ slot: { $lt: before } });
        const sizes = await rows
          .aggregate<{ _id: number; bytes: number }>([
            { $group: { _id: '$slot', bytes: { $sum: '$bytes' } } },
            { $sort: { _id: -1 } },
          ])
          .toArray();
        let size = 0;
        const excess = sizes.find(({ bytes }) => (size += bytes) > maxBytes);
        if (excess !== undefined) await rows.deleteMany({ slot: { $lte: excess._id } });
      });
    },
  };
}
