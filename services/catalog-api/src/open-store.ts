import type { Outbox } from '@lobbystats/contracts';
import { createSqliteOutbox, openSqliteStore } from '@lobbystats/service-kit/sqlite';
import { boardsInMongo, boardsInSqlite } from './boards/boards.queries.ts';
import { entriesInMongo, entriesInSqlite } from './boards/entries.queries.ts';
import { changesInMongo, changesInSqlite } from './changes/changes.queries.ts';
import { catalogMigrations } from './database/schema.sqlite.ts';
import { eventsInMongo, eventsInSqlite } from './events/events.queries.ts';
import { boardProjection, initProjection, type BoardProjection } from './ingest/board-projection.mongo.ts';
import { commitsInMongo, commitsInSqlite } from './ingest/commits.queries.ts';
import { namesInMongo, namesInSqlite } from './names/names.queries.ts';
import { playersInMongo, playersInSqlite } from './players/players.queries.ts';
import { searchInMongo, searchInSqlite } from './search/search.queries.ts';
import { iconsInMongo, iconsInSqlite } from './titles/icons.queries.ts';
import { titlesInMongo, titlesInSqlite } from './titles/titles.queries.ts';
import { contentsInMongo, contentsInSqlite } from './withdrawals/contents.queries.ts';

/** All queries of one database, so that commits share transactions and the outbox. */
export type CatalogStore = ReturnType<typeof openSqliteCatalogStore>;

/** @throws as the store's own function */
export async function openCatalogStore(url: string, origin: string, lockTimeoutMs?: number): Promise<CatalogStore> {
  if (url.startsWith('mongodb')) return openMongoCatalogStore(url, origin);
  return openSqliteCatalogStore(url, origin, lockTimeoutMs);
}

/** @throws StoreRefusedError when the file is unusable, or belongs to another network or a newer release */
export function openSqliteCatalogStore(url: string, origin: string, lockTimeoutMs?: number) {
  // Changes are published once: one lost in a power cut might not return for years.
  const sqlite = openSqliteStore({
    url,
    origin,
    name: 'catalog',
    migrations: catalogMigrations,
    durability: 'full',
    // Names of erased users must not remain in free pages.
    secureDelete: true,
    manyWrites: true,
    ...(lockTimeoutMs !== undefined && { lockTimeoutMs }),
  });
  return {
    titles: titlesInSqlite(sqlite),
    icons: iconsInSqlite(sqlite),
    contents: contentsInSqlite(sqlite),
    boards: {
      ...commitsInSqlite(sqlite),
      ...boardsInSqlite(sqlite),
      ...entriesInSqlite(sqlite),
      ...changesInSqlite(sqlite),
      ...searchInSqlite(sqlite),
      ...namesInSqlite(sqlite),
    },
    events: eventsInSqlite(sqlite),
    players: playersInSqlite(sqlite),
    outbox: createSqliteOutbox(sqlite),
    check: async () => sqlite.check(),
    close: async () => sqlite.close(),
  };
}

/**
 * Loads the driver, which the standalone form does without.
 *
 * @throws as `openMongoCatalog`
 */
export async function openMongoCatalogStore(url: string, origin: string, waitMs?: number): Promise<CatalogStore> {
  const { openMongoCatalog } = await import('./database/open.mongo.ts');
  const catalog = await openMongoCatalog(url, origin, waitMs);
  const { store, outbox } = catalog;
  try {
    await initProjection(store);
  } catch (error) {
    await store.close();
    throw error;
  }
  const projection = boardProjection(store);
  return {
    titles: titlesInMongo(catalog),
    icons: iconsInMongo(catalog),
    contents: contentsInMongo(catalog, projection.catchUp),
    boards: {
      ...commitsInMongo(catalog, projection),
      ...boardsInMongo(catalog),
      ...entriesInMongo(catalog),
      ...changesInMongo(catalog),
      ...searchInMongo(catalog),
      ...namesInMongo(catalog),
    },
    events: eventsInMongo(catalog),
    players: playersInMongo(catalog, projection.catchUp),
    outbox: projectedOutbox(outbox, projection),
    check: () => store.check(),
    close: () => store.close(),
  };
}

/** Updates projections before facts are published, so that caches refilled then are current, even after a crash. */
export function projectedOutbox(outbox: Outbox, projection: BoardProjection): Outbox {
  return {
    pending: async (limit) => {
      const facts = await outbox.pending(limit);
      await projection.catchUp();
      if (facts.length === 0) await projection.indexNames();
      return facts;
    },
    remove: (positions) => outbox.remove(positions),
    backlog: () => outbox.backlog(),
  };
}
