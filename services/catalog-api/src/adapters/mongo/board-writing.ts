import { formatDate } from '@lobbystats/contracts';
import type { MongoOutbox, MongoStore } from '@lobbystats/mongo-store';
import type { AnyBulkWriteOperation, ClientSession, Document } from 'mongodb';
import { boardId, type BoardState } from '../../domain/board.ts';
import type { BoardCommit, BoardStore } from '../../domain/board-store.ts';
import { packContent } from '../packed-content.ts';
import { changeLogOf, settledAt, versionRowId } from './board-rows.ts';
import type { ContentRow, LogRow, RestRow, StateRow, VersionRow } from './board-rows.ts';
import { restRows, settle } from './commit-rest.ts';
import { factSteps, rowSteps, type StepLimits } from './commit-rows.ts';
import { perform, rowsOf, slices } from './row-steps.ts';

/** How much a commit does at once. */
export interface CommitLimits extends StepLimits {
  /** Rows of one transaction. What is more is done in parts: MongoDB bounds a transaction's time, and its place in the cache. */
  readonly transactionRows: number;
  /** Rows of such a part. */
  readonly partRows: number;
}

const LIMITS: CommitLimits = { rows: 1000, facts: 10, transactionRows: 12_000, partRows: 4000 };

interface PackedBoard {
  readonly state: BoardState;
  readonly content: Uint8Array | null;
}

/** Commits of boards. */
export function boardWriting(store: MongoStore, outbox: MongoOutbox, limits = LIMITS) {
  const logs = store.collection<LogRow>('catalog');
  const boards = store.collection<StateRow>('board');
  const writing = <Row extends Document>(collection: string, writes: AnyBulkWriteOperation<Row>[]) =>
    slices(writes, limits.rows).map(
      (some) => (session: ClientSession) => store.collection<Row>(collection).bulkWrite(some, { session }),
    );
  return {
    settledLog: async () => changeLogOf(await settle(store, outbox)),
    commit: async (change) => {
      // Worked out before the transaction, which may begin again.
      const packed = packedContents(change);
      const rows = rowSteps(change, limits);
      const isLarge = rowsOf(rows) > limits.transactionRows;
      const rest = isLarge ? await restRows([...rows, ...factSteps(change.facts, limits)], limits.partRows) : [];
      const steps = [
        ...writing<StateRow>('board', stateWrites(change)),
        ...writing<ContentRow>('board_content', contentWrites(packed)),
        ...writing<VersionRow>('board_version', versionWrites(packed)),
        ...(isLarge
          ? rest.map(
              (row) => (session: ClientSession) => store.collection<RestRow>('board_rest').insertOne(row, { session }),
            )
          : rows.map((step) => (session: ClientSession) => perform(step, { store, outbox, session }))),
      ];
      const isDone = await store.transaction(async (session, stillWanted) => {
        const log = { ...change.log, ...(isLarge && { rest: rest.length }) };
        const { matchedCount } = await logs.updateOne(settledAt(change.expectedRevision), { $set: log }, { session });
        if (matchedCount === 0) return false;
        // Before all rows: were a commit of titles to take places meanwhile, this one would have to write them again.
        if (!isLarge) await outbox.add(change.facts, session);
        for (const step of steps) {
          stillWanted();
          await step(session);
        }
        return true;
      });
      if (isDone && isLarge) await settle(store, outbox);
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
