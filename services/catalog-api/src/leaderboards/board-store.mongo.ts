import type { MongoStore } from '@lobbystats/mongo-store';
import type { BoardStore } from './board-store.ts';
import { boardReads } from './board-reads.mongo.ts';
import type { LogRow } from './board-rows.mongo.ts';
import type { BoardProjection } from './board-projection.mongo.ts';
import { boardWrites } from './board-writes.mongo.ts';
import { changeReads } from '../changes/change-reads.mongo.ts';
import { entrySearch } from '../search/entry-search.mongo.ts';
import type { MongoOutbox } from '@lobbystats/mongo-store';

export function mongoBoardStore(store: MongoStore, outbox: MongoOutbox, projection: BoardProjection): BoardStore {
  const writing = boardWrites(store, outbox, projection);
  return { ...writing, ...boardReads(store), ...changeReads(store), ...entrySearch(store) };
}

/** Written before the first commit, so that every commit updates an existing row. */
export async function initChangeLog(store: MongoStore): Promise<void> {
  const nothing = { revision: 0, lastId: 0, lastChangedAt: 0 };
  await store.run(() =>
    store.collection<LogRow>('catalog').updateOne({ _id: 'boards' }, { $setOnInsert: nothing }, { upsert: true }),
  );
}
