import { appendToOutbox, createSqliteOutbox, openSqliteStore } from '@lobbystats/service-kit/sqlite';
import { reputationMigrations } from './database/reputation-migrations.sqlite.ts';
import { ledgerInMongo, ledgerInSqlite } from './ratings/ledger.queries.ts';
import { ratingsInMongo, ratingsInSqlite } from './ratings/ratings.queries.ts';

export type ReputationStore = ReturnType<typeof openSqliteReputationStore>;

/**
 * Opens the store at a URL and loads the MongoDB driver on demand. `lockTimeoutMs`: how long to wait for another process
 * that writes to a SQLite file; the default suits a service.
 */
export async function openReputationStore(
  url: string,
  origin: string,
  lockTimeoutMs?: number,
): Promise<ReputationStore> {
  return url.startsWith('mongodb')
    ? openMongoReputationStore(url, origin)
    : openSqliteReputationStore(url, origin, lockTimeoutMs);
}

/**
 * Opens the ratings in a SQLite file.
 *
 * @param url `sqlite:PATH` or `sqlite::memory:`
 * @throws StoreRefusedError when the file belongs to another network or newer code
 */
export function openSqliteReputationStore(url: string, origin: string, lockTimeoutMs?: number) {
  const sqlite = openSqliteStore({
    url,
    origin,
    name: 'reputation',
    migrations: reputationMigrations,
    // User content can't be derived again.
    durability: 'full',
    secureDelete: true,
    lockTimeoutMs,
  });
  return {
    ...ratingsInSqlite(sqlite),
    ...ledgerInSqlite(sqlite, (facts) => appendToOutbox(sqlite, facts)),
    outbox: createSqliteOutbox(sqlite),
    check: async () => sqlite.check(),
    close: async () => sqlite.close(),
  };
}

/** @throws as `openMongo` */
export async function openMongoReputationStore(url: string, origin: string, waitMs?: number): Promise<ReputationStore> {
  const { openMongo } = await import('./database/open.mongo.ts');
  const { store, outbox } = await openMongo(url, origin, waitMs);
  return {
    ...ratingsInMongo(store),
    ...ledgerInMongo(store, outbox),
    outbox,
    check: () => store.check(),
    close: () => store.close(),
  };
}
