import { openMongoStore } from '@lobbystats/mongo-store';
import type { CollectorStore } from '../../domain/collector-store.ts';
import { collectorSchema } from './collector-schema.ts';
import { createMongoBoardFillStore } from './mongo-board-fill-store.ts';
import { createMongoBoardMemory } from './mongo-board-memory.ts';
import { createMongoFillStore } from './mongo-fill-store.ts';
import { createMongoPlayerFillStore } from './mongo-player-fill-store.ts';
import { createMongoPageMemory } from './mongo-page-memory.ts';
import { createMongoSlotStore } from './mongo-slot-store.ts';
import { createMongoTitleMemory } from './mongo-title-memory.ts';

/**
 * Opens the collector's store in a MongoDB database that the init job has prepared, for any number of replicas.
 *
 * @param url `mongodb://user:password@host:port/database?…`
 * @param waitMs how long to wait for a server that is away; default: 30 s
 * @throws RefusalError when the database isn't prepared, or is another network's or newer code's
 * @throws AppError `unavailable` when it can't be had within the wait
 */
export async function openMongoCollectorStore(url: string, origin: string, waitMs?: number): Promise<CollectorStore> {
  const store = await openMongoStore({ url, origin, schema: collectorSchema, ...(waitMs !== undefined && { waitMs }) });
  return {
    slots: createMongoSlotStore(store),
    pages: createMongoPageMemory(store),
    titles: createMongoTitleMemory(store),
    fill: createMongoFillStore(store),
    boards: createMongoBoardMemory(store),
    boardFill: createMongoBoardFillStore(store),
    playerFill: createMongoPlayerFillStore(store),
    check: () => store.check(),
    close: () => store.close(),
  };
}
