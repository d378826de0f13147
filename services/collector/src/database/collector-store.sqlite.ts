import { openSqliteStore } from '@lobbystats/sqlite-store';
import type { CollectorStore } from './collector-store.ts';
import { migrations } from './collector-migrations.sqlite.ts';
import { createSqliteBoardBackfillStore } from '../backfills/board-backfill-store.sqlite.ts';
import { createSqliteBoardCrawlState } from '../leaderboards/board-crawl-state.sqlite.ts';
import { createSqliteBackfillStore } from '../backfills/backfill-store.sqlite.ts';
import { createSqlitePlayerBackfillStore } from '../backfills/player-backfill-store.sqlite.ts';
import { createSqlitePageCache } from '../network/page-cache.sqlite.ts';
import { createSqliteSlotStore } from '../slots/slot-store.sqlite.ts';
import { createSqliteAnnouncedTitles } from '../titles/announced-titles.sqlite.ts';

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
