import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { CachedPage, PageCache } from '../../network/page-cache.ts';

export function createSqlitePageCache(store: SqliteStore): PageCache {
  return {
    async get(url) {
      const sql = 'SELECT etag, last_modified AS lastModified, reading FROM page WHERE url = ?';
      return store.get<CachedPage>(sql, url);
    },

    async put(url, { etag, lastModified, reading }, atMs) {
      const sql = `INSERT INTO page (url, etag, last_modified, reading, stored_at_ms) VALUES (?1, ?2, ?3, ?4, ?5)
                   ON CONFLICT DO UPDATE SET etag = ?2, last_modified = ?3, reading = ?4, stored_at_ms = ?5`;
      store.run(sql, url, etag, lastModified, reading, Math.floor(atMs));
    },

    async deleteStoredBefore(beforeMs) {
      store.run('DELETE FROM page WHERE stored_at_ms < ?', Math.floor(beforeMs));
    },
  };
}
