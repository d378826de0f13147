import { MongoOutbox, openMongoStore } from '@lobbystats/mongo-store';
import type { CatalogStore } from '../../domain/catalog-store.ts';
import { beginProjection, boardProjection } from './board-projection.ts';
import { catalogSchema } from './catalog-schema.ts';
import { beginOutbox } from './begin-outbox.ts';
import { beginChangeLog, mongoBoardStore } from './mongo-board-store.ts';
import { MongoEventStore } from './mongo-event-store.ts';
import { beginMarks, mongoPlayerStore } from './mongo-player-store.ts';
import { MongoTitleStore } from './mongo-title-store.ts';
import { projectedOutbox } from './projected-outbox.ts';

/**
 * Opens the catalog in a MongoDB database that the init job has prepared. Any number of processes may share it.
 *
 * @param url `mongodb://user:password@host:port/database?…`
 * @param origin the network whose titles they are
 * @param waitMs how long to wait for a server that is away; default: 30 s
 * @throws RefusalError when the database isn't prepared, or is another network's or newer code's
 * @throws AppError `unavailable` when it can't be had within the wait
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
      titles.begin(),
      beginChangeLog(store),
      events.begin(),
      beginMarks(store),
      beginOutbox(store, outbox, origin),
      beginProjection(store),
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
