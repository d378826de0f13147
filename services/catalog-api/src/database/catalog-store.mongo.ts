import { MongoOutbox, openMongoStore } from '@lobbystats/mongo-store';
import type { CatalogStore } from './catalog-store.ts';
import { initProjection, boardProjection } from '../leaderboards/board-projection.mongo.ts';
import { catalogSchema } from './catalog-schema.mongo.ts';
import { migrateOutbox } from './migrate-outbox.mongo.ts';
import { initChangeLog, mongoBoardStore } from '../leaderboards/board-store.mongo.ts';
import { MongoEventStore } from '../events/event-store.mongo.ts';
import { initErasureKey, mongoPlayerStore } from '../players/player-store.mongo.ts';
import { MongoTitleStore } from '../titles/title-store.mongo.ts';
import { projectedOutbox } from './projected-outbox.mongo.ts';

/**
 * Any number of processes may share the database.
 *
 * @throws StartupError when the init job has not prepared it, or it belongs to another network or a newer release
 * @throws AppError `unavailable` when no primary is found within `waitMs`, 30 s by default
 */
export async function openMongoCatalogStore(url: string, origin: string, waitMs?: number): Promise<CatalogStore> {
  const store = await openMongoStore({ url, origin, schema: catalogSchema, ...(waitMs !== undefined && { waitMs }) });
  const outbox = new MongoOutbox(store, 'catalog');
  const titles = new MongoTitleStore(store, outbox);
  const events = new MongoEventStore(store, outbox);
  const projection = boardProjection(store);
  const boards = mongoBoardStore(store, outbox, projection);
  const players = mongoPlayerStore(store, outbox, projection);
  try {
    await Promise.all([
      titles.init(),
      initChangeLog(store),
      events.init(),
      initErasureKey(store),
      migrateOutbox(store, outbox, origin),
      initProjection(store),
    ]);
    return {
      titles,
      boards,
      events,
      players,
      outbox: projectedOutbox(outbox, projection),
      check: () => store.check(),
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
