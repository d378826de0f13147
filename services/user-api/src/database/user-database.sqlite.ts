import { openSqliteStore, createSqliteOutbox } from '@lobbystats/sqlite-store';
import type { UserDatabase } from './user-database.ts';
import { userMigrations } from './user-migrations.sqlite.ts';
import { sqliteProfileStore } from '../profiles/profile-store.sqlite.ts';
import { unlockReads } from '../achievements/unlock-reads.sqlite.ts';
import { userReads } from '../users/user-reads.sqlite.ts';
import { userWrites } from '../users/user-writes.sqlite.ts';

/**
 * A slot changes thousands of rows at random places. A large cache and rare checkpoints write each page once for several
 * slots; mmap saves read calls.
 */
const CONNECTION_PRAGMAS = `
  PRAGMA cache_size = -65536;
  PRAGMA mmap_size = 1073741824;
  PRAGMA wal_autocheckpoint = 8192;
  PRAGMA journal_size_limit = 67108864;`;

/** @throws StoreRefusedError when the file is another network's or newer code's */
export function openSqliteUserDatabase(url: string, origin: string, lockTimeoutMs?: number): UserDatabase {
  const sqlite = openSqliteStore({
    url,
    origin,
    name: 'people',
    migrations: userMigrations,
    durability: 'full',
    secureDelete: true,
    ...(lockTimeoutMs !== undefined && { lockTimeoutMs }),
  });
  sqlite.db.exec(CONNECTION_PRAGMAS);
  return {
    users: { ...userReads(sqlite), ...userWrites(sqlite), ...unlockReads(sqlite) },
    profiles: sqliteProfileStore(sqlite),
    outbox: createSqliteOutbox(sqlite),
    check: async () => sqlite.check(),
    close: async () => sqlite.close(),
  };
}
