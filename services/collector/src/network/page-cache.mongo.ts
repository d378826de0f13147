import { isDuplicateKey, type MongoStore } from '@lobbystats/service-kit/mongo';
import type { CachedPage, PageCache } from './page-cache.ts';
import { leasedTo, leaseAvailableTo, type Leased } from '../leases/leased.mongo.ts';

interface PageRow extends Partial<Leased> {
  _id: string;
  memo?: CachedPage;
}

/** MongoDB documents are limited to 16 MiB. */
const MAX_READING_BYTES = 15 * 1024 * 1024;

export function createMongoPageCache(store: MongoStore): PageCache {
  const rows = store.collection<PageRow>('page');
  return {
    claim: (url, lease) =>
      store.run(async () => {
        try {
          await rows.updateOne({ _id: url, ...leaseAvailableTo(lease) }, { $set: leasedTo(lease) }, { upsert: true });
          return true;
        } catch (error) {
          // The page exists and is locked, so the upsert conflicts with it.
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),

    async release(url, holder) {
      await store.run(() => rows.updateOne({ _id: url, holder }, { $set: { holder: null } }));
    },

    async get(url) {
      const row = await store.run(() => rows.findOne({ _id: url }, { projection: { memo: 1 } }));
      return row?.memo;
    },

    async put(url, { etag, lastModified, reading }) {
      // An oversized reading is not cached: the next request is unconditional.
      const isTooLong = Buffer.byteLength(reading) > MAX_READING_BYTES;
      const change = isTooLong
        ? { $unset: { memo: true } as const }
        : { $set: { memo: { etag, lastModified, reading } } };
      await store.run(() => rows.updateOne({ _id: url }, change, { upsert: true }));
    },

    async deleteUnclaimedSince(beforeMs) {
      await store.run(() => rows.deleteMany({ leaseUntilMs: { $lt: Math.floor(beforeMs) } }));
    },
  };
}
