import { openSqliteStore } from '@lobbystats/sqlite-store';
import type { CollectorStore } from '../../domain/collector-store.ts';
import { migrations } from './migrations.ts';
import { createSqliteBoardBackfillStore } from './sqlite-board-backfill-store.ts';
import { createSqliteBoardCrawlState } from './sqlite-board-crawl-state.ts';
import { createSqliteBackfillStore } from './sqlite-backfill-store.ts';
import { createSqlitePlayerBackfillStore } from './sqlite-player-backfill-store.ts';
import { createSqlitePageCache } from './sqlite-page-cache.ts';
import { createSqliteSlotStore } from './sqlite-slot-store.ts';
import { createSqliteAnnouncedTitles } from './sqlite-announced-titles.ts';

/**
 * Opens the collector's store in a SQLite file. Its data can be read from the network again, so a power cut may lose the
 * last commits; a killed process loses none.
 *
 * @param url `sqlite:PATH`
 * @throws StoreRefusedError when it belongs to another network or to newer code
 */
export function openSqliteCollectorStore(url: string, origin: string): CollectorStore {
  const store = openSqliteStore({ url, name: 'collector', origin, migrations, durability: 'normal' });
  return {
    slots: createSqliteSlotStore(store),
    pages: createSqlitePageCache(store),
    titles: createSqliteAnnouncedTitles(store),
    backfill: createSqliteBackfillStore(store),
    boards: createSqliteBoardCrawlState(store),
    boardBackfill: createSqliteBoardBackfillStore(store),
    playerBackfill: createSqlitePlayerBackfillStore(store),
    async check() {
      store.check();
    },
    async close() {
      store.close();
    },
  };
}
