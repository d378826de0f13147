import { formatDate } from '@lobbystats/contracts';
import type { MongoOutbox, MongoStore } from '@lobbystats/mongo-store';
import type { AnyBulkWriteOperation, ClientSession, Document } from 'mongodb';
import { boardId, type BoardState } from './board.ts';
import type { BoardCommit, BoardStore, BoardWrite } from './board-store.ts';
import { packContent } from './packed-content.zlib.ts';
import type { BoardProjection } from './board-projection.mongo.ts';
import { versionRowId } from './board-rows.mongo.ts';
import type {
  ContentRow,
  LogRow,
  PendingBoardRow,
  PendingChangesRow,
  StateRow,
  VersionRow,
} from './board-rows.mongo.ts';
import { packChanges } from '../changes/change-rows.mongo.ts';

interface PackedBoard {
  readonly state: BoardState;
  readonly content: Uint8Array | null;
}

export function boardWrites(store: MongoStore, outbox: MongoOutbox, projection: BoardProjection) {
  const logs = store.collection<LogRow>('catalog');
  const boards = store.collection<StateRow>('board');
  const writing =
    <Row extends Document>(collection: string, writes: AnyBulkWriteOperation<Row>[]) =>
    async (session: ClientSession) => {
      if (writes.length > 0) await store.collection<Row>(collection).bulkWrite(writes, { session });
    };
  return {
    commit: async (change) => {
      // Outside the transaction, which may restart.
      const packed = packedContents(change);
      const changes = await packChanges(change.changes, projection.rowsPerStep);
      const steps = [
        (session: ClientSession) => outbox.add(change.facts, session),
        writing<StateRow>('board', stateWrites(change)),
        writing<ContentRow>('board_content', contentWrites(packed)),
        writing<VersionRow>('board_version', versionWrites(packed)),
        writing<PendingBoardRow>('pending_board', change.boards.map(pendingWrite)),
        writing<PendingChangesRow>(
          'pending_changes',
          changes.map((document) => ({ insertOne: { document } })),
        ),
      ];
      const isDone = await store.transaction(async (session, checkDeadline) => {
        const expected = { _id: 'boards', revision: change.expectedRevision } as const;
        const { matchedCount } = await logs.updateOne(expected, { $set: change.log }, { session });
        if (matchedCount === 0) return false;
        for (const step of steps) {
          checkDeadline();
          await step(session);
        }
        return true;
      });
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

function pendingWrite({ state }: BoardWrite): AnyBulkWriteOperation<PendingBoardRow> {
  return { replaceOne: { filter: { _id: boardId(state) }, replacement: {}, upsert: true } };
}
