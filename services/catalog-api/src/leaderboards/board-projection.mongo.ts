import { createMutex } from '@lobbystats/concurrency';
import { StartupError } from '@lobbystats/errors';
import type { MongoStore } from '@lobbystats/mongo-store';
import type { ClientSession } from 'mongodb';
import type { BoardKey } from './board.ts';
import type { StoredChange } from './board-store.ts';
import { unpackContent } from './packed-content.zlib.ts';
import {
  keyRange,
  type ChangeRow,
  type ContentRow,
  type CountRow,
  type EntryRow,
  type LogRow,
  type PendingBoardRow,
  type PendingChangesRow,
} from './board-rows.mongo.ts';
import { changeRow, countsOf, unpackChanges } from '../changes/changes.mongo.ts';
import { entryRows, entryWrites } from './entry-rows.mongo.ts';

const ROWS_PER_STEP = 4000;
const READS_PER_WRITE = 10;
const BOARDS_PER_STEP = 50;
/** Increment when entry rows change: all are then rebuilt. */
const ENTRY_FORMAT = 1;
const MARK_ALL_TIMEOUT_MS = 30_000;

/** Derives rows for change lists and searches after each commit, in idempotent steps that any process may repeat. */
export interface BoardProjection {
  readonly rowsPerStep: number;
  catchUp(): Promise<boolean>;
}

export function boardProjection(store: MongoStore, rowsPerStep = ROWS_PER_STEP): BoardProjection {
  const runExclusive = createMutex();
  const boards = store.collection<PendingBoardRow>('pending_board');
  const changes = store.collection<PendingChangesRow>('pending_changes');
  const isBehind = async () => {
    const found = await store.run(() => Promise.all([boards.findOne(), changes.findOne()]));
    return found.some((row) => row !== null);
  };
  return {
    rowsPerStep,
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
  await store.collection<LogRow>('catalog').updateOne({ _id: 'boards' }, { $inc: { revision: 1 } }, { session });
  const pending = await store
    .collection<PendingChangesRow>('pending_changes')
    .findOneAndDelete({}, { sort: { _id: 1 }, session });
  const changes = pending === null ? [] : unpackChanges(pending);
  await addChanges(store, changes, session);
  if (changes.length < rowsPerStep)
    await updateEntryRows(store, { ...step, rowsPerStep: rowsPerStep - changes.length });
}

/** Counters are updated with their changes, so totals are exact. */
async function addChanges(store: MongoStore, changes: readonly StoredChange[], session: ClientSession): Promise<void> {
  if (changes.length === 0) return;
  await store.collection<ChangeRow>('change').insertMany(changes.map(changeRow), { session });
  const counts = Array.from(countsOf(changes), ([_id, count]) => ({
    updateOne: { filter: { _id }, update: { $inc: { count } }, upsert: true },
  }));
  await store.collection<CountRow>('change_count').bulkWrite(counts, { session });
}

/** Stops once enough rows are compared or written. A large board continues in the next step. */
async function updateEntryRows(store: MongoStore, { session, checkDeadline, rowsPerStep }: Step): Promise<void> {
  const pending = store.collection<PendingBoardRow>('pending_board');
  const entries = store.collection<EntryRow>('entry');
  const found = await pending.find({}, { session }).sort({ _id: 1 }).limit(BOARDS_PER_STEP).toArray();
  const ids = found.map(({ _id }) => _id);
  const contents = await store
    .collection<ContentRow>('board_content')
    .find({ _id: { $in: ids }, gone: false }, { session })
    .toArray();
  const done: string[] = [];
  let left = rowsPerStep;
  for (const id of ids) {
    if (left <= 0) break;
    checkDeadline();
    const content = contents.find(({ _id }) => _id === id)?.content;
    const before = await entries.find({ _id: keyRange(id) }, { session }).toArray();
    const after = content === undefined ? [] : entryRows(keyOf(id), unpackContent(content));
    const all = entryWrites(before, after);
    const now: typeof all = [];
    for (const one of all) {
      if (left <= 0) break;
      now.push(one);
      left -= one.rows;
    }
    const writes = now.map(({ write }) => write);
    if (writes.length > 0) await entries.bulkWrite(writes, { session });
    if (now.length === all.length) done.push(id);
    left -= before.length / READS_PER_WRITE;
  }
  await pending.deleteMany({ _id: { $in: done } }, { session });
}

function keyOf(id: string): BoardKey {
  const [titleId = '', leaderboardId] = id.split(' ');
  return { titleId, leaderboardId: Number(leaderboardId) };
}

/** @throws StartupError when an older release left a commit unfinished */
export async function initProjection(store: MongoStore): Promise<void> {
  const rows = store.collection<FormatRow | (LogRow & { rest?: number })>('catalog');
  await store.run(async () => {
    if ((await rows.countDocuments({ _id: 'boards', rest: { $exists: true } })) > 0) {
      throw new StartupError('The last commit of boards is unfinished: start the release before this one once');
    }
    if ((await rows.countDocuments({ _id: 'entries', format: ENTRY_FORMAT })) > 0) return;
    const marking = [{ $project: { _id: 1 } }, { $merge: { into: 'pending_board' } }];
    await store.collection('board').aggregate(marking).toArray();
    await rows.updateOne({ _id: 'entries' }, { $set: { format: ENTRY_FORMAT } }, { upsert: true });
  }, MARK_ALL_TIMEOUT_MS);
}

interface FormatRow {
  _id: 'entries';
  format: number;
}
