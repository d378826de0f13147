import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { AnnouncedTitle, AnnouncedTitles } from './announced-titles.ts';

interface TitleRow {
  title_id: string;
  home_digest: string | null;
  page_digest: string | null;
  page_slot: number | null;
}

export function createSqliteAnnouncedTitles(store: SqliteStore): AnnouncedTitles {
  return {
    async all() {
      const rows = store.all<TitleRow>('SELECT title_id, home_digest, page_digest, page_slot FROM title');
      return new Map(rows.map((row) => [row.title_id, titleOf(row)]));
    },

    async get(titleId) {
      const sql = 'SELECT title_id, home_digest, page_digest, page_slot FROM title WHERE title_id = ?';
      const row = store.get<TitleRow>(sql, titleId);
      return row === undefined ? undefined : titleOf(row);
    },

    async recordHomes(digests) {
      store.transaction(() => {
        const sql = `INSERT INTO title (title_id, home_digest) VALUES (?1, ?2)
                     ON CONFLICT DO UPDATE SET home_digest = ?2`;
        for (const [titleId, digest] of digests) store.run(sql, titleId, digest);
      });
    },

    async recordPage(titleId, digest, slot) {
      const sql = `INSERT INTO title (title_id, page_digest, page_slot) VALUES (?1, ?2, ?3)
                   ON CONFLICT DO UPDATE SET page_digest = coalesce(?2, page_digest), page_slot = ?3`;
      store.run(sql, titleId, digest, slot);
    },
  };
}

function titleOf({ home_digest, page_digest, page_slot }: TitleRow): AnnouncedTitle {
  return { home: home_digest, page: page_digest, pageSlot: page_slot };
}
