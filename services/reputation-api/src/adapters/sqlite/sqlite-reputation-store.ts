import { openSqliteStore, createSqliteOutbox } from '@lobbystats/sqlite-store';
import type { ReputationStore } from '../../domain/reputation-store.ts';
import { reputationMigrations } from './reputation-migrations.ts';
import { readBefore, reputationReads } from './reputation-reads.ts';
import { writeChange } from './reputation-writes.ts';

/**
 * Opens the ratings in a SQLite file.
 *
 * @param url `sqlite:PATH` or `sqlite::memory:`
 * @param origin the network of the ratings
 * @param lockTimeoutMs how long to wait for another process that writes to the file
 * @throws StoreRefusedError when the file belongs to another network or newer code
 */
export function openSqliteReputationStore(url: string, origin: string, lockTimeoutMs?: number): ReputationStore {
  const sqlite = openSqliteStore({
    url,
    origin,
    name: 'reputation',
    migrations: reputationMigrations,
    // User content can't be derived again.
    durability: 'full',
    secureDelete: true,
    ...(lockTimeoutMs !== undefined && { lockTimeoutMs }),
  });
  return {
    ...reputationReads(sqlite),
    change: async (reads, workOut) =>
      sqlite.transaction(() => {
        const { result, change } = workOut(readBefore(sqlite, reads));
        if (change !== undefined) writeChange(sqlite, change);
        return result;
      }),
    outbox: createSqliteOutbox(sqlite),
    check: async () => sqlite.check(),
    close: async () => sqlite.close(),
  };
}
