import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { keptPage, nameOf, type KeptPages } from './kept-pages.ts';

export function createSqliteKeptPages(store: SqliteStore): KeptPages {
  return {
    async put(page, body, description) {
      const sql = `INSERT INTO kept_page (slot, name, description, bytes, body) VALUES (?1, ?2, ?3, ?4, ?5)
                   ON CONFLICT DO UPDATE SET description = ?3, bytes = ?4, body = ?5`;
      store.run(sql, page.slot, nameOf(page), description, body.length, body);
    },

    async due(description, before) {
      const sql = `SELECT slot, name FROM kept_page
                   WHERE slot = (SELECT min(slot) FROM kept_page WHERE slot < ? AND description <> ?)`;
      const rows = store.all<{ slot: number; name: string }>(sql, before, description);
      return rows.map(({ slot, name }) => keptPage(slot, name));
    },

    async body(page) {
      const sql = 'SELECT body FROM kept_page WHERE slot = ? AND name = ?';
      const row = store.get<{ body: Uint8Array }>(sql, page.slot, nameOf(page));
      return row && Buffer.from(row.body);
    },

    async deleteOthers(slot, description) {
      store.run('DELETE FROM kept_page WHERE slot = ? AND description <> ?', slot, description);
    },

    async forget(from, to) {
      store.run('DELETE FROM kept_page WHERE slot BETWEEN ? AND ?', from, to);
    },

    async trim(before, maxBytes) {
      store.transaction(() => {
        store.run('DELETE FROM kept_page WHERE slot < ?', before);
        const size = () => store.get<{ bytes: number }>('SELECT total(bytes) AS bytes FROM kept_page')?.bytes ?? 0;
        while (size() > maxBytes) {
          store.run('DELETE FROM kept_page WHERE slot = (SELECT min(slot) FROM kept_page)');
        }
      });
    },
  };
}
