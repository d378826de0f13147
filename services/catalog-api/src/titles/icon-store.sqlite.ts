import { appendToOutbox, type SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { Icon, IconStore } from './icon-store.ts';

export const iconTable = `
  CREATE TABLE icon (title_id TEXT PRIMARY KEY, seen_at INTEGER NOT NULL, image BLOB NOT NULL) STRICT;`;

export function sqliteIconStore(sqlite: SqliteStore): IconStore {
  const read = (titleId: string) =>
    sqlite.get<Icon>('SELECT seen_at AS seenAt, image FROM icon WHERE title_id = ?', titleId);
  return {
    read: async (titleId) => read(titleId),
    put: async (titleId, { seenAt, image }, facts) =>
      sqlite.transaction(() => {
        const known = read(titleId);
        if (known !== undefined && known.seenAt >= seenAt) return false;
        sqlite.run('INSERT OR REPLACE INTO icon (title_id, seen_at, image) VALUES (?, ?, ?)', titleId, seenAt, image);
        if (known !== undefined && Buffer.compare(known.image, image) === 0) return false;
        appendToOutbox(sqlite, facts);
        return true;
      }),
  };
}
