import { openSqliteStore, createSqliteOutbox } from '@lobbystats/sqlite-store';
import type { CatalogStore } from './catalog-store.ts';
import { catalogMigrations } from './catalog-migrations.sqlite.ts';
import { sqliteBoardStore } from '../leaderboards/board-store.sqlite.ts';
import { sqliteEventStore } from '../events/event-store.sqlite.ts';
import { sqlitePlayerStore } from '../players/player-store.sqlite.ts';
import { sqliteTitleStore } from '../titles/title-store.sqlite.ts';

/**
 * A first start writes a million rows at random places: a large cache and rare checkpoints write each page a few times
 * instead of hundreds. mmap saves read calls in searches.
 */
const CONNECTION = `
  PRAGMA cache_size = -65536;
  PRAGMA mmap_size = 1073741824;
  PRAGMA wal_autocheckpoint = 8192;
  PRAGMA journal_size_limit = 67108864;`;

/** @throws StoreRefusedError when the file is unusable, or belongs to another network or a newer release */
export function openSqliteCatalogStore(url: string, origin: string): CatalogStore {
  // Changes are published once: one lost in a power cut might not return for years.
  const sqlite = openSqliteStore({
    url,
    origin,
    name: 'catalog',
    migrations: catalogMigrations,
    durability: 'full',
    // Names of erased users must not remain in free pages.
    secureDelete: true,
  });
  sqlite.db.exec(CONNECTION);
  return {
    titles: sqliteTitleStore(sqlite),
    boards: sqliteBoardStore(sqlite),
    events: sqliteEventStore(sqlite),
    players: sqlitePlayerStore(sqlite),
    outbox: createSqliteOutbox(sqlite),
    check: async () => sqlite.check(),
    close: async () => sqlite.close(),
  };
}
