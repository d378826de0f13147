import { openSqliteStore, sqliteOutbox } from '@lobbystats/sqlite-store';
import type { PeopleStore } from '../../domain/people-store.ts';
import { peopleMigrations } from './people-migrations.ts';
import { sqliteProfileStore } from './sqlite-profile-store.ts';
import { unlockReads } from './unlock-reads.ts';
import { userReads } from './user-reads.ts';
import { userWriting } from './user-writing.ts';

/**
 * A slot changes thousands of people at random places of the file: with pages that stay in memory, and are carried home
 * seldom, each is written once for several slots. What is mapped into memory costs no call to read.
 */
const CONNECTION = `
  PRAGMA cache_size = -65536;
  PRAGMA mmap_size = 1073741824;
  PRAGMA wal_autocheckpoint = 8192;
  PRAGMA journal_size_limit = 67108864;`;

/**
 * Opens people, their profiles and achievements in a SQLite file.
 *
 * @param url `sqlite:PATH` or `sqlite::memory:`
 * @param origin the network whose people they are
 * @param lockedForMs how long to wait for another process that writes to the file
 * @throws StoreRefusedError when the file is another network's or newer code's
 */
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
