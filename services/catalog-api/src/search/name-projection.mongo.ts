import { createMutex } from '@lobbystats/concurrency';
import type { MongoStore } from '@lobbystats/mongo-store';
import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { boardKeyOf } from '../leaderboards/board.ts';
import type { ContentRow, LogRow, NameRow, PendingNamesRow } from '../leaderboards/board-rows.mongo.ts';
import { entryRows } from '../leaderboards/entry-rows.mongo.ts';
import { unpackContent } from '../leaderboards/packed-content.zlib.ts';
import { boardNameWrite, writeNames } from './name-rows.mongo.ts';

const BOARDS_PER_READ = 50;
/** More boards don't wait for a pause. */
const WAITING_BOARDS_MAX = 2000;

/**
 * Names players and leaderboards of boards that wait for it, once none has come for a while.
 *
 * @param quietMs how long
 */
export function nameProjection(store: MongoStore, rowsPerStep: number, quietMs: number): () => Promise<void> {
  const runExclusive = createMutex();
  const pending = store.collection<PendingNamesRow>('pending_names');
  return () =>
    runExclusive(async () => {
      const waiting = await store.run(() => pending.find().sort({ _id: 1 }).toArray());
      const isQuiet = waiting.every(({ at }) => at <= Date.now() - quietMs);
      if (!isQuiet && waiting.length < WAITING_BOARDS_MAX) return;
      // An entry that comes later marks its board again, with another time.
      const named = new Set<string>();
      for (let left = waiting; left.length > 0;) {
        const { boards, players } = await store.transaction((session) =>
          nameSome(store, session, { waiting: left.slice(0, BOARDS_PER_READ), named, rowsPerStep }),
        );
        for (const key of players) named.add(key);
        left = left.slice(boards);
      }
    });
}

interface NameStep {
  readonly waiting: readonly PendingNamesRow[];
  /** Player keys; counted since the boards were read. */
  readonly named: ReadonlySet<string>;
  readonly rowsPerStep: number;
}

/** Returns how many boards are complete, and the players. */
async function nameSome(store: MongoStore, session: ClientSession, { waiting, named, rowsPerStep }: NameStep) {
  // Excludes commits and other steps, as they do each other.
  await store.collection<LogRow>('catalog').updateOne({ _id: 'boards' }, { $inc: { revision: 1 } }, { session });
  const ids = waiting.map(({ _id }) => _id);
  const contents = await store
    .collection<ContentRow>('board_content')
    .find({ _id: { $in: ids }, gone: false }, { session })
    .toArray();
  const players = new Map<string, string>();
  const boards: AnyBulkWriteOperation<NameRow>[] = [];
  for (const { _id } of waiting) {
    const packed = contents.find((row) => row._id === _id)?.content;
    const content = packed && unpackContent(packed);
    const rows = content === undefined ? [] : entryRows(boardKeyOf(_id), content);
    const unnamed = rows.filter(({ playerKey }) => !named.has(playerKey));
    for (const { playerKey, name } of unnamed) if (players.size < rowsPerStep) players.set(playerKey, name);
    if (unnamed.some(({ playerKey }) => !players.has(playerKey))) break;
    boards.push(boardNameWrite(_id, content));
  }
  await writeNames(store, session, { boards, players });
  const done = waiting.slice(0, boards.length).map(({ _id, at }) => ({ deleteOne: { filter: { _id, at } } }));
  if (done.length > 0) await store.collection<PendingNamesRow>('pending_names').bulkWrite(done, { session });
  return { boards: boards.length, players: [...players.keys()] };
}
