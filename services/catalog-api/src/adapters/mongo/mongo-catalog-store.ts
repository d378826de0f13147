import { MongoOutbox, openMongoStore } from '@lobbystats/mongo-store';
import type { CatalogStore } from '../../domain/catalog-store.ts';
import { initProjection, boardProjection } from './board-projection.ts';
import { catalogSchema } from './catalog-schema.ts';
import { migrateOutbox } from './migrate-outbox.ts';
import { initChangeLog, mongoBoardStore } from './mongo-board-store.ts';
import { MongoEventStore } from './mongo-event-store.ts';
import { initErasureKey, mongoPlayerStore } from './mongo-player-store.ts';
import { MongoTitleStore } from './mongo-title-store.ts';
import { projectedOutbox } from './projected-outbox.ts';

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
