import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { TitleStore } from './title-store.ts';
import { appendToOutbox } from '@lobbystats/sqlite-store';
import { fromRow, toValues, UPSERT_TITLE, type TitleRow } from './title-row.sqlite.ts';

export function sqliteTitleStore(sqlite: SqliteStore): TitleStore {
  const revision = () => sqlite.get<{ revision: number }>('SELECT revision FROM catalog')?.revision ?? 0;
  return {
    revision: async () => revision(),
    read: async () =>
      sqlite.transaction(() => ({
        revision: revision(),
        records: sqlite.all<TitleRow>('SELECT * FROM title').map(fromRow),
      })),
    commit: async (change) =>
      sqlite.transaction(() => {
        const { expectedRevision, records, facts } = change;
        const move = 'UPDATE catalog SET revision = ? WHERE revision = ?';
        if (sqlite.run(move, change.revision, expectedRevision) === 0) return false;
        for (const record of records) sqlite.run(UPSERT_TITLE, ...toValues(record));
        appendToOutbox(sqlite, facts);
        return true;
      }),
  };
}
