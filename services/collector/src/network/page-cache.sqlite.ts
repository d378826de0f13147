import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { CachedPage, PageCache } from './page-cache.ts';

export function createSqlitePageCache(store: SqliteStore): PageCache {
  return {
    async claim(url, { holder, nowMs, untilMs }) {
      const sql = `INSERT INTO page (url, claim_holder, claim_until_ms) VALUES (?1, ?2, ?3)
                   ON CONFLICT DO UPDATE SET claim_holder = ?2, claim_until_ms = ?3
                   WHERE claim_holder IS NULL OR claim_holder = ?2 OR claim_until_ms <= ?4`;
      return store.run(sql, url, holder, Math.floor(untilMs), Math.floor(nowMs)) === 1;
    },

    async release(url, holder) {
      store.run('UPDATE page SET claim_holder = NULL WHERE url = ? AND claim_holder = ?', url, holder);
    },

    async get(url) {
      const sql = `SELECT etag, last_modified AS lastModified, reading FROM page
                   WHERE url = ? AND reading IS NOT NULL`;
      return store.get<CachedPage>(sql, url);
    },

    async put(url, { etag, lastModified, reading }) {
      const sql = `INSERT INTO page (url, etag, last_modified, reading) VALUES (?1, ?2, ?3, ?4)
                   ON CONFLICT DO UPDATE SET etag = ?2, last_modified = ?3, reading = ?4`;
      store.run(sql, url, etag, lastModified, reading);
    },

    async deleteUnclaimedSince(beforeMs) {
      // 0: a cached reading that no request has claimed.
      store.run('DELETE FROM page WHERE claim_until_ms > 0 AND claim_until_ms < ?', Math.floor(beforeMs));
    },
  };
}
