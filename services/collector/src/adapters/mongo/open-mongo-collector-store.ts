import { openMongoStore } from '@lobbystats/mongo-store';
import type { CollectorStore } from '../../domain/collector-store.ts';
import { collectorSchema } from './collector-schema.ts';
import { createMongoBoardBackfillStore } from './mongo-board-backfill-store.ts';
import { createMongoBoardCrawlState } from './mongo-board-crawl-state.ts';
import { createMongoBackfillStore } from './mongo-backfill-store.ts';
import { createMongoPlayerBackfillStore } from './mongo-player-backfill-store.ts';
import { createMongoPageCache } from './mongo-page-cache.ts';
import { createMongoSlotStore } from './mongo-slot-store.ts';
import { createMongoAnnouncedTitles } from './mongo-announced-titles.ts';

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
    pages: createMongoPageCache(store),
    titles: createMongoAnnouncedTitles(store),
    backfill: createMongoBackfillStore(store),
    boards: createMongoBoardCrawlState(store),
    boardBackfill: createMongoBoardBackfillStore(store),
    playerBackfill: createMongoPlayerBackfillStore(store),
    check: () => store.check(),
    close: () => store.close(),
  };
}
