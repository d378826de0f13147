import { createMutex } from '@lobbystats/service-kit/concurrency';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { entryDocuments, type ContentDocument, type LogDocument } from '../boards/board-rows.ts';
import { boardKeyOf } from '../boards/board.ts';
import { unpackContent } from '../boards/packed-content.ts';
import { boardNameWrite, writeNames, type NameDocument } from './name-words.queries.ts';

/** A board with players that have no name row yet. */
interface PendingNamesDocument {
  _id: string;
  /** Since when, in epoch milliseconds. */
  at: number;
}

const BOARDS_PER_READ = 50;
/** More boards don't wait for a pause. A round counts nearly all players again: a first backfill of 30,000 boards has one, at its end. */
const WAITING_BOARDS_MAX = 50_000;
/** Bounds the memory of a round. Players beyond it are counted twice. */
const INDEXED_MAX = 500_000;

/**
 * Adds the names of waiting boards and of their players to the search, once no board has come for a while.
 *
 * @param quietMs how long
 */
export function nameProjection(store: MongoStore, rowsPerStep: number, quietMs: number): () => Promise<void> {
  const runExclusive = createMutex();
  const pending = store.collection<PendingNamesDocument>('pending_names');
  return () =>
    runExclusive(async () => {
      const waiting = await store.run(() => pending.find().sort({ _id: 1 }).toArray());
      const isQuiet = waiting.every(({ at }) => at <= Date.now() - quietMs);
      if (!isQuiet && waiting.length < WAITING_BOARDS_MAX) return;
      // An entry that comes later marks its board again, with another time.
      const indexed = new Set<string>();
      for (let left = waiting; left.length > 0;) {
        const { boards, players } = await store.transaction((session) =>
          indexSome(store, session, { waiting: left.slice(0, BOARDS_PER_READ), indexed, rowsPerStep }),
        );
        if (indexed.size > INDEXED_MAX) indexed.clear();
        for (const key of players) indexed.add(key);
        left = left.slice(boards);
      }
    });
}

interface IndexStep {
  readonly waiting: readonly PendingNamesDocument[];
  /** Player keys; counted since the boards were read. */
  readonly indexed: ReadonlySet<string>;
  readonly rowsPerStep: number;
}

/** Marks boards whose new players are counted later, together. */
export async function markWaiting(store: MongoStore, session: ClientSession, boards: readonly string[]): Promise<void> {
  const marks = boards.map((_id) => ({
    updateOne: { filter: { _id }, update: { $set: { at: Date.now() } }, upsert: true },
  }));
  if (marks.length > 0) await store.collection<PendingNamesDocument>('pending_names').bulkWrite(marks, { session });
}

/** Returns how many boards are complete, and the players. */
async function indexSome(store: MongoStore, session: ClientSession, { waiting, indexed, rowsPerStep }: IndexStep) {
  // Excludes commits and other steps, as they do each other.
  await store.collection<LogDocument>('catalog').updateOne({ _id: 'boards' }, { $inc: { revision: 1 } }, { session });
  const ids = waiting.map(({ _id }) => _id);
  const contents = await store
    .collection<ContentDocument>('board_content')
    .find({ _id: { $in: ids }, gone: false }, { session })
    .toArray();
  const players = new Map<string, string>();
  const boards: AnyBulkWriteOperation<NameDocument>[] = [];
  for (const { _id } of waiting) {
    const packed = contents.find((row) => row._id === _id)?.content;
    const content = packed && unpackContent(packed);
    const rows = content === undefined ? [] : entryDocuments(boardKeyOf(_id), content);
    const missing = rows.filter(({ playerKey }) => !indexed.has(playerKey));
    for (const { playerKey, name } of missing) if (players.size < rowsPerStep) players.set(playerKey, name);
    if (missing.some(({ playerKey }) => !players.has(playerKey))) break;
    boards.push(boardNameWrite(_id, content));
  }
  await writeNames(store, session, { boards, players });
  const done = waiting.slice(0, boards.length).map(({ _id, at }) => ({ deleteOne: { filter: { _id, at } } }));
  if (done.length > 0) await store.collection<PendingNamesDocument>('pending_names').bulkWrite(done, { session });
  return { boards: boards.length, players: [...players.keys()] };
}
