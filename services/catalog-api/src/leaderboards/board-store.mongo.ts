import { commitSteps, writeSteps } from '@lobbystats/service-kit/mongo-steps';
import type { MongoOutbox, MongoStore } from '@lobbystats/service-kit/mongo';
import { formatDate } from '@lobbystats/contracts';
import type { AnyBulkWriteOperation } from 'mongodb';
import type { BoardStore, BoardCommit, BoardWrite } from './board-store.ts';
import { boardReads } from './board-reads.mongo.ts';
import {
  versionRowId,
  type LogRow,
  type ContentRow,
  type PendingBoardRow,
  type PendingChangesRow,
  type StateRow,
  type VersionRow,
} from './board-rows.mongo.ts';
import type { BoardProjection } from './board-projection.mongo.ts';
import { changeReads, packChanges } from '../changes/changes.mongo.ts';
import { entrySearch } from '../search/entry-search.mongo.ts';
import { nameSearch } from '../search/name-search.mongo.ts';
import { boardId, type BoardState } from './board.ts';
import { packContent } from './packed-content.node.ts';

export function mongoBoardStore(store: MongoStore, outbox: MongoOutbox, projection: BoardProjection): BoardStore {
  const writing = boardWrites(store, outbox, projection);
  return { ...writing, ...boardReads(store), ...changeReads(store), ...entrySearch(store), ...nameSearch(store) };
}

interface PackedBoard {
  readonly state: BoardState;
  readonly content: Uint8Array | null;
}

function boardWrites(store: MongoStore, outbox: MongoOutbox, projection: BoardProjection) {
  const logs = store.collection<LogRow>('catalog');
  const boards = store.collection<StateRow>('board');
  return {
    rowsPerCommit: 6000,
    commit: async (change) => {
      // Outside the transaction, which may restart.
      const packed = packedContents(change);
      const changes = await packChanges(change.changes, projection.rowsPerStep);
      const from = { _id: 'boards', revision: change.expectedRevision } as const;
      const isDone = await commitSteps(store, { rows: logs, from, to: { $set: change.log } }, [
        (session) => outbox.add(change.facts, session),
        ...writeSteps<StateRow>(store, 'board', stateWrites(change)),
        ...writeSteps<ContentRow>(store, 'board_content', contentWrites(packed)),
        ...writeSteps<VersionRow>(store, 'board_version', versionWrites(packed)),
        ...writeSteps<PendingBoardRow>(
          store,
          'pending_board',
          change.boards.map((board) => pendingWrite(board, change.past)),
        ),
        ...writeSteps<PendingChangesRow>(store, 'pending_changes', changes.map(insertOperation)),
      ]);
      if (isDone) await projection.catchUp();
      return isDone;
    },
    confirm: async (confirmations) => {
      const writes = confirmations.map((board) => ({
        updateOne: {
          filter: { _id: boardId(board), pass: { $gte: board.pass } },
          update: { $max: { observedAt: board.seenAt } },
        },
      }));
      if (writes.length > 0) await store.run(() => boards.bulkWrite(writes, { ordered: false }));
    },
  } satisfies Partial<BoardStore>;
}

function stateWrites({ boards, seen = [] }: BoardCommit): AnyBulkWriteOperation<StateRow>[] {
  return [
    ...boards.map(({ state }) => {
      const { titleId, leaderboardId, name, isTime, entryCount, gone, version, pass, changedAt, observedAt } = state;
      const $set = { titleId, leaderboardId, name, isTime, entryCount, gone, version, pass, changedAt };
      return {
        updateOne: { filter: { _id: boardId(state) }, update: { $set, $max: { observedAt } }, upsert: true },
      };
    }),
    ...seen.map((board) => ({
      updateOne: {
        filter: { _id: boardId(board) },
        update: { $set: { pass: board.pass }, $max: { observedAt: board.seenAt } },
      },
    })),
  ];
}

function packedContents({ boards }: BoardCommit): PackedBoard[] {
  return boards.map(({ state, entries }) => {
    const { name, isTime, gone } = state;
    return { state, content: gone ? null : packContent({ name, isTime, entries }) };
  });
}

/** A board that is gone keeps its last content. */
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

function pendingWrite({ state }: BoardWrite, past = false): AnyBulkWriteOperation<PendingBoardRow> {
  return { replaceOne: { filter: { _id: boardId(state) }, replacement: past ? { past } : {}, upsert: true } };
}

function insertOperation(document: PendingChangesRow): AnyBulkWriteOperation<PendingChangesRow> {
  return { insertOne: { document } };
}
