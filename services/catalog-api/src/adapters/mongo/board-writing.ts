import { formatDate } from '@lobbystats/contracts';
import type { MongoStore } from '@lobbystats/mongo-store';
import type { AnyBulkWriteOperation, ClientSession, Document } from 'mongodb';
import { boardId, type BoardState } from '../../domain/board.ts';
import type { BoardCommit, BoardStore } from '../../domain/board-store.ts';
import { packContent } from '../packed-content.ts';
import { keysOfBoard, versionRowId } from './board-rows.ts';
import type { ChangeRow, ContentRow, CountRow, EntryRow, LogRow, StateRow, VersionRow } from './board-rows.ts';
import { changeRow, countsOf } from './change-rows.ts';
import { entryDifference, type EntryDifference } from './entry-rows.ts';
import type { MongoOutbox } from '@lobbystats/mongo-store';

/** A commit that was given up holds up the others until what it has sent is done: so it sends little at once. */
const WRITES_AT_ONCE = 1000;

interface PackedBoard {
  readonly state: BoardState;
  readonly content: Uint8Array | null;
}

/** Commits of boards. */
export function boardWriting(store: MongoStore, outbox: MongoOutbox) {
  const logs = store.collection<LogRow>('catalog');
  const writing = <Row extends Document>(collection: string, writes: AnyBulkWriteOperation<Row>[]) =>
    slices(writes).map(
      (some) => (session: ClientSession) => store.collection<Row>(collection).bulkWrite(some, { session }),
    );
  const rows = store.collection<EntryRow>('entry');
  // A statement for many: one for each takes the server several times as long.
  const removals = (differences: readonly EntryDifference[]) =>
    slices(differences.flatMap(({ removed }) => removed)).map(
      ($in) => (session: ClientSession) => rows.deleteMany({ _id: { $in } }, { session }),
    );
  return {
    commit: async (change) => {
      const { expectedRevision, log, facts } = change;
      // Worked out before the transaction, which may begin again.
      const packed = packedContents(change);
      const differences = change.boards.map(entryDifference);
      const steps = [
        ...writing<StateRow>('board', stateWrites(change)),
        ...writing<ContentRow>('board_content', contentWrites(packed)),
        ...writing<VersionRow>('board_version', versionWrites(packed)),
        ...writing<EntryRow>('entry', emptyingWrites(change)),
        ...removals(differences),
        ...writing<EntryRow>('entry', entryWrites(differences)),
        ...writing<ChangeRow>('change', changeWrites(change)),
        ...writing<CountRow>('change_count', countWrites(change)),
      ];
      return store.transaction(async (session, stillWanted) => {
        const { matchedCount } = await logs.updateOne(
          { _id: 'boards', revision: expectedRevision },
          { $set: { revision: log.revision, lastId: log.lastId, lastChangedAt: log.lastChangedAt } },
          { session },
        );
        if (matchedCount === 0) return false;
        // Before all rows: were a commit of titles to take places meanwhile, this one would have to write them again.
        await outbox.add(facts, session);
        for (const step of steps) {
          stillWanted();
          await step(session);
        }
        return true;
      });
    },
  } satisfies Partial<BoardStore>;
}

function stateWrites({ boards, seen = [] }: BoardCommit): AnyBulkWriteOperation<StateRow>[] {
  return [
    ...boards.map(({ state }) => {
      const { titleId, leaderboardId, name, isTime, entryCount, gone, version, pass, changedAt } = state;
      const replacement = { titleId, leaderboardId, name, isTime, entryCount, gone, version, pass, changedAt };
      return { replaceOne: { filter: { _id: boardId(state) }, replacement, upsert: true } };
    }),
    ...seen.map((board) => ({
      updateOne: { filter: { _id: boardId(board) }, update: { $set: { pass: board.pass } } },
    })),
  ];
}

/** Packed, or null for one that is gone. */
function packedContents({ boards }: BoardCommit): PackedBoard[] {
  return boards.map(({ state, after }) => {
    const { name, isTime, gone } = state;
    return { state, content: gone ? null : packContent({ name, isTime, entries: after }) };
  });
}

/** What a board that is gone said last is there already. */
function contentWrites(boards: readonly PackedBoard[]): AnyBulkWriteOperation<ContentRow>[] {
  return boards.map(({ state, content }) => {
    const filter = { _id: boardId(state) };
    return content === null
      ? { updateOne: { filter, update: { $set: { gone: true } } } }
      : { replaceOne: { filter, replacement: { gone: false, content }, upsert: true } };
  });
}

function versionWrites(boards: readonly PackedBoard[]): AnyBulkWriteOperation<VersionRow>[] {
  return boards.map(({ state, content }) => {
    const _id = versionRowId(boardId(state), formatDate(state.changedAt));
    return { replaceOne: { filter: { _id }, replacement: { content }, upsert: true } };
  });
}

/** Nothing is kept of a board that had no rows to compare with. */
function emptyingWrites({ boards }: BoardCommit): AnyBulkWriteOperation<EntryRow>[] {
  const emptied = boards.filter(({ before }) => before.length === 0);
  return emptied.map(({ state }) => ({ deleteMany: { filter: { _id: keysOfBoard(boardId(state)) } } }));
}

function entryWrites(differences: readonly EntryDifference[]): AnyBulkWriteOperation<EntryRow>[] {
  return [
    ...differences.flatMap(({ changed }) =>
      changed.map(({ _id, to }) => ({ updateOne: { filter: { _id }, update: { $set: to } } })),
    ),
    ...differences.flatMap(({ added }) => added.map((document) => ({ insertOne: { document } }))),
  ];
}

function changeWrites({ changes }: BoardCommit): AnyBulkWriteOperation<ChangeRow>[] {
  return changes.map((change) => ({ insertOne: { document: changeRow(change) } }));
}

function countWrites({ changes }: BoardCommit): AnyBulkWriteOperation<CountRow>[] {
  return Array.from(countsOf(changes), ([_id, count]) => ({
    updateOne: { filter: { _id }, update: { $inc: { count } }, upsert: true },
  }));
}

function slices<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / WRITES_AT_ONCE) }, (_, index) =>
    items.slice(index * WRITES_AT_ONCE, (index + 1) * WRITES_AT_ONCE),
  );
}
