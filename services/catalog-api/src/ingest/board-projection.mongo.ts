import { createMutex } from '@lobbystats/service-kit/concurrency';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import {
  entryDocuments,
  keyRange,
  type ContentDocument,
  type EntryDocument,
  type LogDocument,
  type PendingBoardDocument,
} from '../boards/board-rows.ts';
import { boardKeyOf } from '../boards/board.ts';
import { unpackContent } from '../boards/packed-content.ts';
import {
  changeDocument,
  countsOf,
  unpackChanges,
  type ChangeDocument,
  type CountDocument,
  type PendingChangesDocument,
} from '../changes/change-rows.ts';
import type { StoredChange } from '../changes/stored-change.ts';
import { markWaiting, nameProjection } from '../names/name-projection.mongo.ts';
import { boardNameWrite, writeNames, type NameDocument } from '../names/name-words.queries.ts';
import { entryWrites } from './entry-writes.queries.ts';

const ROWS_PER_STEP = 4000;
const READS_PER_WRITE = 10;
const BOARDS_PER_STEP = 50;
/** Increment when rows change: all are then rebuilt. */
const ENTRY_FORMAT = 1;
const NAME_FORMAT = 2;
/** The players of a board with more new ones, or of a backfill, are counted later: such boards have many players in common. */
const INDEXED_AT_ONCE = 50;
const QUIET_MS = 5000;
const MARK_ALL_TIMEOUT_MS = 30_000;

/** Derives rows for change lists and searches after each commit, in idempotent steps that any process may repeat. */
export interface BoardProjection {
  readonly rowsPerStep: number;
  readonly catchUp: () => Promise<boolean>;
  /** Adds the names of the boards that wait for it to the search, unless more of them are coming. */
  indexNames(): Promise<void>;
}

export function boardProjection(store: MongoStore, rowsPerStep = ROWS_PER_STEP, quietMs = QUIET_MS): BoardProjection {
  const runExclusive = createMutex();
  const boards = store.collection<PendingBoardDocument>('pending_board');
  const changes = store.collection<PendingChangesDocument>('pending_changes');
  const isBehind = async () => {
    const found = await store.run(() => Promise.all([boards.findOne(), changes.findOne()]));
    return found.some((row) => row !== null);
  };
  return {
    rowsPerStep,
    indexNames: nameProjection(store, rowsPerStep, quietMs),
    catchUp: () =>
      runExclusive(async () => {
        let steps = 0;
        for (; await isBehind(); steps += 1) {
          await store.transaction((session, checkDeadline) => runStep(store, { session, checkDeadline, rowsPerStep }));
        }
        return steps > 0;
      }),
  };
}

interface Step {
  readonly session: ClientSession;
  readonly checkDeadline: () => void;
  readonly rowsPerStep: number;
}

async function runStep(store: MongoStore, step: Step): Promise<void> {
  const { session, rowsPerStep } = step;
  await store.collection<LogDocument>('catalog').updateOne({ _id: 'boards' }, { $inc: { revision: 1 } }, { session });
  const pending = await store
    .collection<PendingChangesDocument>('pending_changes')
    .findOneAndDelete({}, { sort: { _id: 1 }, session });
  const changes = pending === null ? [] : unpackChanges(pending);
  await addChanges(store, changes, session);
  const left = rowsPerStep - changes.length;
  if (left > 0) await updateEntryRows(store, { ...step, rowsPerStep: left });
}

/** Counters are updated with their changes, so totals are exact. */
async function addChanges(store: MongoStore, changes: readonly StoredChange[], session: ClientSession): Promise<void> {
  if (changes.length === 0) return;
  await store.collection<ChangeDocument>('change').insertMany(changes.map(changeDocument), { session });
  const counts = Array.from(countsOf(changes), ([_id, count]) => ({
    updateOne: { filter: { _id }, update: { $inc: { count } }, upsert: true },
  }));
  await store.collection<CountDocument>('change_count').bulkWrite(counts, { session });
}

/** Stops once enough rows are compared or written. A large board continues in the next step. */
async function updateEntryRows(store: MongoStore, { session, checkDeadline, rowsPerStep }: Step): Promise<void> {
  const pending = store.collection<PendingBoardDocument>('pending_board');
  const entries = store.collection<EntryDocument>('entry');
  const found = await pending.find({}, { session }).sort({ _id: 1 }).limit(BOARDS_PER_STEP).toArray();
  const ids = found.map(({ _id }) => _id);
  const contents = await store
    .collection<ContentDocument>('board_content')
    .find({ _id: { $in: ids }, gone: false }, { session })
    .toArray();
  const done: string[] = [];
  const players = new Map<string, string>();
  const boardNames: AnyBulkWriteOperation<NameDocument>[] = [];
  const waiting: string[] = [];
  let left = rowsPerStep;
  for (const { _id: id, past = false } of found) {
    if (left <= 0) break;
    checkDeadline();
    const packed = contents.find(({ _id }) => _id === id)?.content;
    const content = packed && unpackContent(packed);
    const before = await entries.find({ _id: keyRange(id) }, { session }).toArray();
    const after = content === undefined ? [] : entryDocuments(boardKeyOf(id), content);
    const all = entryWrites(before, after);
    const now: typeof all = [];
    for (const one of all) {
      if (left <= 0) break;
      now.push(one);
      left -= one.rows;
    }
    const writes = now.map(({ write }) => write);
    if (writes.length > 0) await entries.bulkWrite(writes, { session });
    const added = now.flatMap((one) => one.added ?? []);
    const removed = now.flatMap((one) => one.removed ?? []);
    const isLater = added.length > (past ? 0 : INDEXED_AT_ONCE);
    for (const { playerKey, name } of isLater ? removed : [...removed, ...added]) players.set(playerKey, name);
    if (isLater) waiting.push(id);
    if (now.length === all.length) {
      done.push(id);
      boardNames.push(boardNameWrite(id, content));
    }
    left -= before.length / READS_PER_WRITE;
  }
  await writeNames(store, session, { boards: boardNames, players });
  await markWaiting(store, session, waiting);
  await pending.deleteMany({ _id: { $in: done } }, { session });
}

export async function initProjection(store: MongoStore): Promise<void> {
  const rows = store.collection<FormatDocument>('catalog');
  const isOutdated = async (_id: FormatDocument['_id'], format: number) =>
    (await rows.countDocuments({ _id, format })) === 0;
  const markAll = async (_id: FormatDocument['_id'], format: number, into: string) => {
    const marking = [{ $project: { at: { $literal: 0 } } }, { $merge: { into } }];
    await store.collection('board').aggregate(marking).toArray();
    await rows.updateOne({ _id }, { $set: { format } }, { upsert: true });
  };
  await store.run(async () => {
    if (await isOutdated('entries', ENTRY_FORMAT)) await markAll('entries', ENTRY_FORMAT, 'pending_board');
    if (await isOutdated('names', NAME_FORMAT)) {
      await store.collection('name').deleteMany({});
      await markAll('names', NAME_FORMAT, 'pending_names');
    }
  }, MARK_ALL_TIMEOUT_MS);
}

interface FormatDocument {
  _id: 'entries' | 'names';
  format: number;
}
