import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { CachedPage, PageCache } from '../../network/page-cache.ts';

interface PageRow {
  _id: string;
  /** A name that stores of 0.1.0 have. */
  memo: CachedPage;
  storedAtMs: number;
}

/** MongoDB documents are limited to 16 MiB. */
const MAX_READING_BYTES = 15 * 1024 * 1024;

export function createMongoPageCache(store: MongoStore): PageCache {
  const rows = store.collection<PageRow>('page');
  return {
    async get(url) {
      const row = await store.run(() => rows.findOne({ _id: url }, { projection: { memo: 1 } }));
      return row?.memo;
    },

    async put(url, { etag, lastModified, reading }, atMs) {
      // An oversized reading is not cached: the next request is unconditional.
      if (Buffer.byteLength(reading) > MAX_READING_BYTES) await store.run(() => rows.deleteOne({ _id: url }));
      else {
        const row = { memo: { etag, lastModified, reading }, storedAtMs: Math.floor(atMs) };
        await store.run(() => rows.updateOne({ _id: url }, { $set: row }, { upsert: true }));
      }
    },

    async deleteStoredBefore(beforeMs) {
      await store.run(() => rows.deleteMany({ storedAtMs: { $lt: beforeMs } }));
    },
  };
}
