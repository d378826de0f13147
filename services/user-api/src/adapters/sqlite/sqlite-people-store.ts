import { openSqliteStore, sqliteOutbox } from '@lobbystats/sqlite-store';
import type { PeopleStore } from '../../domain/people-store.ts';
import { peopleMigrations } from './people-migrations.ts';
import { sqliteProfileStore } from './sqlite-profile-store.ts';
import { unlockReads } from './unlock-reads.ts';
import { userReads } from './user-reads.ts';
import { userWriting } from './user-writing.ts';

/**
 * A slot changes thousands of rows at random places. A large cache and rare checkpoints write each page once for several
 * slots; mmap saves read calls.
 */
const CONNECTION = `
  PRAGMA cache_size = -65536;
  PRAGMA mmap_size = 1073741824;
  PRAGMA wal_autocheckpoint = 8192;
  PRAGMA journal_size_limit = 67108864;`;

/** @throws StoreRefusedError when the file is another network's or newer code's */
export function openSqlitePeopleStore(url: string, origin: string, lockedForMs?: number): PeopleStore {
  const sqlite = openSqliteStore({
    url,
    origin,
    name: 'people',
    migrations: peopleMigrations,
    durability: 'full',
    secureDelete: true,
    ...(lockedForMs !== undefined && { lockedForMs }),
  });
  sqlite.db.exec(CONNECTION);
  return {
    users: { ...userReads(sqlite), ...userWriting(sqlite), ...unlockReads(sqlite) },
    profiles: sqliteProfileStore(sqlite),
    outbox: sqliteOutbox(sqlite),
    check: async () => sqlite.check(),
    close: async () => sqlite.close(),
  };
}
