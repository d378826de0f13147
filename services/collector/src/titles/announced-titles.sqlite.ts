import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { AnnouncedTitle, AnnouncedTitles } from './announced-titles.ts';

const TITLE = `home_digest AS home, page_digest AS page, page_slot AS pageSlot, since, seen_at AS seenAt,
               image, icon_at AS iconAt`;

export function createSqliteAnnouncedTitles(store: SqliteStore): AnnouncedTitles {
  return {
    async all() {
      const rows = store.all<AnnouncedTitle & { titleId: string }>(`SELECT title_id AS titleId, ${TITLE} FROM title`);
      return new Map(rows.map(({ titleId, ...title }) => [titleId, title]));
    },

    async get(titleId) {
      return store.get<AnnouncedTitle>(`SELECT ${TITLE} FROM title WHERE title_id = ?`, titleId);
    },

    async recordSeen(titleIds, { seenAt, since }) {
      store.transaction(() => {
        const sql = `INSERT INTO title (title_id, since, seen_at) VALUES (?1, ?2, ?3)
                     ON CONFLICT DO UPDATE SET seen_at = ?3`;
        for (const titleId of titleIds) store.run(sql, titleId, since, seenAt);
      });
    },

    async recordHomes(homes) {
      store.transaction(() => {
        const sql = `INSERT INTO title (title_id, home_digest, image) VALUES (?1, ?2, ?3)
                     ON CONFLICT DO UPDATE SET home_digest = ?2, image = ?3,
                     icon_at = CASE image WHEN ?3 THEN icon_at END`;
        for (const [titleId, { digest, image }] of homes) store.run(sql, titleId, digest, image);
      });
    },

    async recordIcon(titleId, at) {
      store.run('UPDATE title SET icon_at = ? WHERE title_id = ?', at, titleId);
    },

    async recordPage(titleId, digest, slot) {
      const sql = `INSERT INTO title (title_id, page_digest, page_slot) VALUES (?1, ?2, ?3)
                   ON CONFLICT DO UPDATE SET page_digest = coalesce(?2, page_digest), page_slot = ?3`;
      store.run(sql, titleId, digest, slot);
    },

    async forget(titleIds) {
      store.transaction(() => {
        for (const table of ['board', 'title']) {
          for (const titleId of titleIds) store.run(`DELETE FROM ${table} WHERE title_id = ?`, titleId);
        }
      });
    },

    async forgetUnseen(before) {
      store.transaction(() => {
        const unseen = 'SELECT title_id FROM title WHERE seen_at < ?';
        if (store.get(unseen, before) === undefined) return;
        store.run(`DELETE FROM board WHERE title_id IN (${unseen})`, before);
        store.run('DELETE FROM title WHERE seen_at < ?', before);
      });
    },
  };
}
