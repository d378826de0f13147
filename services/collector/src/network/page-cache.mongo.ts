import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { CachedPage, PageCache } from './page-cache.ts';

interface PageRow {
  _id: string;
  page: CachedPage;
  storedAtMs: number;
}

/** MongoDB documents are limited to 16 MiB. */
const MAX_READING_BYTES = 15 * 1024 * 1024;

export function createMongoPageCache(store: MongoStore): PageCache {
  const rows = store.collection<PageRow>('page');
  return {
    async get(url) {
      const row = await store.run(() => rows.findOne({ _id: url }, { projection: { page: 1 } }));
      return row?.page;
    },

    async put(url, { etag, lastModified, reading }, atMs) {
      // An oversized reading is not cached: the next request is unconditional.
      if (Buffer.byteLength(reading) > MAX_READING_BYTES) await store.run(() => rows.deleteOne({ _id: url }));
      else {
        const row = { page: { etag, lastModified, reading }, storedAtMs: Math.floor(atMs) };
        await store.run(() => rows.updateOne({ _id: url }, { $set: row }, { upsert: true }));
      }
    },

    async deleteStoredBefore(beforeMs) {
      await store.run(() => rows.deleteMany({ storedAtMs: { $lt: beforeMs } }));
    },
  };
}
