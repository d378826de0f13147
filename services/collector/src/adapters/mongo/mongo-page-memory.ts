import { isDuplicateKey, type MongoStore } from '@lobbystats/mongo-store';
import type { PageMemo, PageMemory } from '../../domain/page-memory.ts';
import { leasedTo, mayTake, type Leased } from './leased.ts';

interface PageRow extends Partial<Leased> {
  _id: string;
  memo?: PageMemo;
}

/** A document has room for 16 MiB. */
const LARGEST_READING_BYTES = 15 * 1024 * 1024;

export function createMongoPageMemory(store: MongoStore): PageMemory {
  const rows = store.collection<PageRow>('page');
  return {
    claim: (url, lease) =>
      store.run(async () => {
        try {
          await rows.updateOne({ _id: url, ...mayTake(lease) }, { $set: leasedTo(lease) }, { upsert: true });
          return true;
        } catch (error) {
          // The page is there, and not free: it can't be made anew.
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),

    async release(url, holder) {
      await store.run(() => rows.updateOne({ _id: url, holder }, { $set: { holder: null } }));
    },

    async recall(url) {
      const row = await store.run(() => rows.findOne({ _id: url }, { projection: { memo: 1 } }));
      return row?.memo;
    },

    async remember(url, { etag, lastModified, reading }) {
      // A page that is too long to be remembered is asked for whole the next time.
      const isTooLong = Buffer.byteLength(reading) > LARGEST_READING_BYTES;
      const change = isTooLong
        ? { $unset: { memo: true } as const }
        : { $set: { memo: { etag, lastModified, reading } } };
      await store.run(() => rows.updateOne({ _id: url }, change, { upsert: true }));
    },
  };
}
