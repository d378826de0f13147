import { openSqliteStore, sqliteOutbox } from '@lobbystats/sqlite-store';
import type { CatalogStore } from '../../domain/catalog-store.ts';
import { catalogMigrations } from './catalog-migrations.ts';
import { sqliteBoardStore } from './sqlite-board-store.ts';
import { sqliteEventStore } from './sqlite-event-store.ts';
import { sqlitePlayerStore } from './sqlite-player-store.ts';
import { sqliteTitleStore } from './sqlite-title-store.ts';

/**
 * A first start writes a million rows at random places: a large cache and rare checkpoints write each page a few times
 * instead of hundreds. mmap saves read calls in searches.
 */
const CONNECTION = `
  PRAGMA cache_size = -65536;
  PRAGMA mmap_size = 1073741824;
  PRAGMA wal_autocheckpoint = 8192;
  PRAGMA journal_size_limit = 67108864;`;

/**
 * Opens the catalog in a SQLite file.
 *
 * @param url `sqlite:PATH` or `sqlite::memory:`
 * @param origin the network whose titles they are
 * @throws StoreRefusedError when the file is another network's or newer code's
 */
export function openSqliteCatalogStore(url: string, origin: string): CatalogStore {
  // Changes are published once: what a power cut lost might not return for years.
  const sqlite = openSqliteStore({
    url,
    origin,
    name: 'catalog',
    migrations: catalogMigrations,
    durability: 'full',
    // Erased users are in this store too.
    secureDelete: true,
  });
  sqlite.db.exec(CONNECTION);
  return {
    titles: sqliteTitleStore(sqlite),
    boards: sqliteBoardStore(sqlite),
    events: sqliteEventStore(sqlite),
    players: sqlitePlayerStore(sqlite),
    outbox: sqliteOutbox(sqlite),
    check: async () => sqlite.check(),
    close: async () => sqlite.close(),
  };
}
