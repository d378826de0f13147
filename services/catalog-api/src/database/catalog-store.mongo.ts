import { randomBytes } from 'node:crypto';
import { MongoOutbox, openMongoStore, type MongoStore } from '@lobbystats/service-kit/mongo';
import type { Outbox } from '@lobbystats/contracts';
import type { CatalogStore } from './catalog-store.ts';
import { initProjection, boardProjection, type BoardProjection } from '../leaderboards/board-projection.mongo.ts';
import { catalogSchema } from './catalog-schema.mongo.ts';
import { mongoBoardStore } from '../leaderboards/board-store.mongo.ts';
import { mongoEventStore } from '../events/event-store.mongo.ts';
import { mongoPlayerStore } from '../players/player-store.mongo.ts';
import { mongoIconStore } from '../titles/icon-store.mongo.ts';
import { mongoTitleContents } from '../titles/title-contents.mongo.ts';
import { mongoTitleStore } from '../titles/title-store.mongo.ts';

/**
 * Any number of processes may share the database.
 *
 * @throws StartupError when the init job has not prepared it, or it belongs to another network or a newer release
 * @throws AppError `unavailable` when no primary is found within `waitMs`, 30 s by default
 */
export async function openMongoCatalogStore(url: string, origin: string, waitMs?: number): Promise<CatalogStore> {
  const store = await openMongoStore({ url, origin, schema: catalogSchema, waitMs });
  const outbox = new MongoOutbox(store, 'catalog');
  const projection = boardProjection(store);
  try {
    await Promise.all([createCatalogRows(store), initProjection(store)]);
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    titles: mongoTitleStore(store, outbox),
    icons: mongoIconStore(store, outbox),
    contents: mongoTitleContents(store, projection),
    boards: mongoBoardStore(store, outbox, projection),
    events: mongoEventStore(store, outbox),
    players: mongoPlayerStore(store, outbox, projection),
    outbox: projectedOutbox(outbox, projection),
    check: () => store.check(),
    close: () => store.close(),
  };
}

/** Written before the first commit, so that every commit updates an existing row. */
export async function createCatalogRows(store: MongoStore): Promise<void> {
  const rows = store.collection<{ _id: string }>('catalog');
  const first = {
    titles: { revision: 0 },
    boards: { revision: 0, lastId: 0, lastChangedAt: 0 },
    events: { revision: 0, seenAt: 0, changedAt: 0 },
    /** The key of the hashes of erased users. */
    marks: { key: randomBytes(32).toString('hex') },
  };
  const creations = Object.entries(first).map(([_id, fields]) =>
    store.run(() => rows.updateOne({ _id }, { $setOnInsert: fields }, { upsert: true })),
  );
  await Promise.all(creations);
}

/** Updates projections before facts are published, so that caches refilled then are current, even after a crash. */
export function projectedOutbox(outbox: Outbox, projection: BoardProjection): Outbox {
  return {
    pending: async (limit) => {
      const facts = await outbox.pending(limit);
      await projection.catchUp();
      if (facts.length === 0) await projection.indexNames();
      return facts;
    },
    remove: (positions) => outbox.remove(positions),
    backlog: () => outbox.backlog(),
  };
}
