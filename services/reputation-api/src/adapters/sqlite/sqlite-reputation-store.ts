import { openSqliteStore, sqliteOutbox } from '@lobbystats/sqlite-store';
import type { ReputationStore } from '../../domain/reputation-store.ts';
import { reputationMigrations } from './reputation-migrations.ts';
import { readBefore, reputationReads } from './reputation-reads.ts';
import { writeChange } from './reputation-writes.ts';

/**
 * Opens the ratings in a SQLite file.
 *
 * @param url `sqlite:PATH` or `sqlite::memory:`
 * @param origin the network whose people they are
 * @param lockedForMs how long to wait for another process that writes to the file
 * @throws StoreRefusedError when the file is another network's or newer code's
 */
export function openSqliteReputationStore(url: string, origin: string, lockedForMs?: number): ReputationStore {
  const sqlite = openSqliteStore({
    url,
    origin,
    name: 'reputation',
    migrations: reputationMigrations,
    // People wrote it.
    durability: 'full',
    secureDelete: true,
    ...(lockedForMs !== undefined && { lockedForMs }),
  });
  return {
    ...reputationReads(sqlite),
    change: async (reads, workOut) =>
      sqlite.transaction(() => {
        const { result, change } = workOut(readBefore(sqlite, reads));
        if (change !== undefined) writeChange(sqlite, change);
        return result;
      }),
    outbox: sqliteOutbox(sqlite),
    check: async () => sqlite.check(),
    close: async () => sqlite.close(),
  };
}
