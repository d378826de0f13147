import type { MongoStore } from '@lobbystats/mongo-store';
import type { BoardStore } from '../../domain/board-store.ts';
import { boardReads } from './board-reads.ts';
import type { LogRow } from './board-rows.ts';
import type { BoardProjection } from './board-projection.ts';
import { boardWrites } from './board-writes.ts';
import { changeReads } from './change-reads.ts';
import { entrySearch } from './entry-search.ts';
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
