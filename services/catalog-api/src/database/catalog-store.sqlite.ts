import { openSqliteStore, createSqliteOutbox } from '@lobbystats/service-kit/sqlite';
import type { CatalogStore } from './catalog-store.ts';
import { catalogMigrations } from './catalog-migrations.sqlite.ts';
import { sqliteEventStore } from '../events/event-store.sqlite.ts';
import { sqlitePlayerStore } from '../players/player-store.sqlite.ts';
import { sqliteIconStore } from '../titles/icon-store.sqlite.ts';
import { sqliteTitleContents } from '../titles/title-contents.sqlite.ts';
import { sqliteTitleStore } from '../titles/title-store.sqlite.ts';
import { boardReads } from '../leaderboards/board-reads.sqlite.ts';
import { boardWrites } from '../leaderboards/board-writes.sqlite.ts';
import { changeReads } from '../changes/changes.sqlite.ts';
import { entrySearch } from '../search/entry-search.sqlite.ts';
import { nameSearch } from '../search/name-search.sqlite.ts';

/** @throws StoreRefusedError when the file is unusable, or belongs to another network or a newer release */
export function openSqliteCatalogStore(url: string, origin: string, lockTimeoutMs?: number): CatalogStore {
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
    titles: sqliteTitleStore(sqlite),
    icons: sqliteIconStore(sqlite),
    contents: sqliteTitleContents(sqlite),
    boards: {
      ...boardWrites(sqlite),
      ...boardReads(sqlite),
      ...changeReads(sqlite),
      ...entrySearch(sqlite),
      ...nameSearch(sqlite),
    },
    events: sqliteEventStore(sqlite),
    players: sqlitePlayerStore(sqlite),
    outbox: createSqliteOutbox(sqlite),
    check: async () => sqlite.check(),
    close: async () => sqlite.close(),
  };
}
