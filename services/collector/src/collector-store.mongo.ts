import { openMongoStore } from '@lobbystats/service-kit/mongo';
import type { CollectorStore } from './collector-store.ts';
import { collectorSchema } from './store/collector-schema.mongo.ts';
import {
  createMongoBoardBackfillStore,
  createMongoBackfillStore,
  createMongoPlayerBackfillStore,
} from './backfills/backfill-store.mongo.ts';
import { createMongoKeptPages } from './slots/kept-pages.mongo.ts';
import { createMongoBoardCrawlState } from './boards/board-crawl-state.mongo.ts';
import { createMongoPageCache } from './sources/client/page-cache.mongo.ts';
import { createMongoSlotStore } from './slots/slot-store.mongo.ts';
import { createMongoWithdrawalStore } from './slots/withdrawal-store.mongo.ts';
import { createMongoAnnouncedTitles } from './titles/announced-titles.mongo.ts';

/**
 * Opens the collector's store in a MongoDB database that the init job has prepared, for any number of replicas.
 *
 * @param url `mongodb://user:password@host:port/database?…`
 * @param waitMs how long to wait for an unreachable server; default: 30 s
 * @throws StartupError when the database isn't prepared, or is another network's or newer code's
 * @throws AppError `unavailable` when the server isn't reachable within the wait
 */
export async function openMongoCollectorStore(url: string, origin: string, waitMs?: number): Promise<CollectorStore> {
  const store = await openMongoStore({ url, origin, schema: collectorSchema, ...(waitMs !== undefined && { waitMs }) });
  return {
    slots: createMongoSlotStore(store),
    withdrawals: createMongoWithdrawalStore(store),
    pages: createMongoPageCache(store),
    kept: createMongoKeptPages(store),
    titles: createMongoAnnouncedTitles(store),
    backfill: createMongoBackfillStore(store),
    boards: createMongoBoardCrawlState(store),
    boardBackfill: createMongoBoardBackfillStore(store),
    playerBackfill: createMongoPlayerBackfillStore(store),
    check: () => store.check(),
    close: () => store.close(),
  };
}
