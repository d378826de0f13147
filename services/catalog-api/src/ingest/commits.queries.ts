import { setImmediate } from 'node:timers/promises';
import { formatDate, type Fact } from '@lobbystats/contracts';
import { commitSteps, writeSteps } from '@lobbystats/service-kit/mongo-steps';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { appendToOutbox } from '@lobbystats/service-kit/sqlite-outbox';
import type { AnyBulkWriteOperation } from 'mongodb';
import {
  boardValues,
  ENTRY_COLUMNS,
  OF_BOARD,
  versionRowId,
  type ContentDocument,
  type LogDocument,
  type PendingBoardDocument,
  type StateDocument,
  type VersionDocument,
} from '../boards/board-rows.ts';
import { boardId, type BoardConfirmation, type BoardState, type ChangeLog, type Entry } from '../boards/board.ts';
import { packContent } from '../boards/packed-content.ts';
import { packChanges, type PendingChangesDocument } from '../changes/change-rows.ts';
import { addChanges } from '../changes/changes.queries.ts';
import type { StoredChange } from '../changes/stored-change.ts';
import type { MongoCatalog } from '../database/open.mongo.ts';
import { namedBoard, updateBoardWords, updatePlayerWords } from '../names/name-words.queries.ts';
import type { BoardProjection } from './board-projection.mongo.ts';
import { putEntries } from './entry-writes.queries.ts';

/** They throw AppError `unavailable`. */
export type CommitQueries = ReturnType<typeof commitsInSqlite>;

export interface BoardWrite {
  readonly state: BoardState;
  readonly entries: readonly Entry[];
}

export interface BoardCommit {
  readonly expectedRevision: number;
  readonly log: ChangeLog;
  /** At most one per board; also stored as the version of the UTC day of `changedAt`. `observedAt` never goes back. */
  readonly boards: readonly BoardWrite[];
  /** Boards seen unchanged in a later pass. */
  readonly seen?: readonly BoardConfirmation[];
  readonly changes: readonly StoredChange[];
  readonly facts: readonly Fact[];
  /** True for a backfill. Default: false. */
  readonly past?: boolean;
}

const UPDATE_LOG = 'UPDATE change_log SET revision = ?, last_id = ?, last_changed_at = ? WHERE revision = ?';
const PUT_STATE = `INSERT OR REPLACE INTO board VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
  max(?10, ifnull((SELECT observed_at FROM board WHERE title_id = ?1 AND leaderboard_id = ?2), 0)))`;
const UPDATE_PASS = `UPDATE board SET pass = ?3, observed_at = max(observed_at, ?4)
  WHERE title_id = ?1 AND leaderboard_id = ?2`;
const CONFIRM = `UPDATE board SET observed_at = ?4
  WHERE title_id = ?1 AND leaderboard_id = ?2 AND pass >= ?3 AND observed_at < ?4`;
const READ_ENTRIES = `SELECT ${ENTRY_COLUMNS} FROM entry WHERE ${OF_BOARD} ORDER BY place`;
const PUT_VERSION = `INSERT INTO board_version (title_id, leaderboard_id, day, content) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET content = excluded.content`;

export function commitsInSqlite(sqlite: SqliteStore) {
  return {
    /** Entries of one commit; a larger board is one commit. They take about 20 ms, in which the process answers nothing else. */
    rowsPerCommit: 1000,
    /** Atomic; false when the revision isn't the expected one. Lists and searches never lag behind published facts. */
    commit: async ({ expectedRevision, log, boards, seen = [], changes, facts }: BoardCommit) => {
      const isDone = sqlite.transaction(() => {
        const moved = sqlite.run(UPDATE_LOG, log.revision, log.lastId, log.lastChangedAt, expectedRevision);
        if (moved === 0) return false;
        const added = new Map<string, number>();
        for (const board of boards) putBoard(sqlite, board, added);
        updatePlayerWords(sqlite, added);
        for (const board of seen) sqlite.run(UPDATE_PASS, ...boardValues(board), board.pass, board.seenAt);
        addChanges(sqlite, changes);
        appendToOutbox(sqlite, facts);
        return true;
      });
      // The process answers requests between two commits.
      await setImmediate();
      return isDone;
    },
    /** Moves `observedAt` forward. No effect when the confirmed observation is not stored. Publishes nothing. */
    confirm: async (confirmations: readonly BoardConfirmation[]) =>
      sqlite.transaction(() => {
        for (const board of confirmations) sqlite.run(CONFIRM, ...boardValues(board), board.pass, board.seenAt);
      }),
  };
}

/** @param added entries of each player; updated */
function putBoard(sqlite: SqliteStore, { state: after, entries }: BoardWrite, added: Map<string, number>): void {
  const { name, isTime, entryCount, gone, version, pass, changedAt, observedAt } = after;
  const board = boardValues(after);
  const state = [name, Number(isTime), entryCount, Number(gone), version, pass, changedAt, observedAt];
  const named = namedBoard(sqlite, board);
  sqlite.run(PUT_STATE, ...board, ...state);
  updateBoardWords(sqlite, board, [named, gone ? undefined : { name, entries: entryCount }]);
  const before = gone ? sqlite.all<Entry>(READ_ENTRIES, ...board) : [];
  putEntries(sqlite, board, { isTime, entries }, added);

  const content = gone ? null : packContent({ name, isTime, entries });
  sqlite.run(PUT_VERSION, ...board, formatDate(changedAt), content);
  if (!gone) sqlite.run(`DELETE FROM gone_board WHERE ${OF_BOARD}`, ...board);
  else if (version > 1) {
    const last = packContent({ name, isTime, entries: before });
    sqlite.run('INSERT OR REPLACE INTO gone_board VALUES (?, ?, ?)', ...board, last);
  }
}

interface PackedBoard {
  readonly state: BoardState;
  readonly content: Uint8Array | null;
}

export function commitsInMongo({ store, outbox }: MongoCatalog, projection: BoardProjection) {
  const logs = store.collection<LogDocument>('catalog');
  const boards = store.collection<StateDocument>('board');
  return {
    rowsPerCommit: 6000,
    commit: async (change) => {
      // Outside the transaction, which may restart.
      const packed = packedContents(change);
      const changes = await packChanges(change.changes, projection.rowsPerStep);
      const from = { _id: 'boards', revision: change.expectedRevision } as const;
      const isDone = await commitSteps(store, { rows: logs, from, to: { $set: change.log } }, [
        (session) => outbox.add(change.facts, session),
        ...writeSteps<StateDocument>(store, 'board', stateWrites(change)),
        ...writeSteps<ContentDocument>(store, 'board_content', contentWrites(packed)),
        ...writeSteps<VersionDocument>(store, 'board_version', versionWrites(packed)),
        ...writeSteps<PendingBoardDocument>(
          store,
          'pending_board',
          change.boards.map((board) => pendingWrite(board, change.past)),
        ),
        ...writeSteps<PendingChangesDocument>(store, 'pending_changes', changes.map(insertOperation)),
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
  } satisfies CommitQueries;
}

function stateWrites({ boards, seen = [] }: BoardCommit): AnyBulkWriteOperation<StateDocument>[] {
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
function contentWrites(boards: readonly PackedBoard[]): AnyBulkWriteOperation<ContentDocument>[] {
  return boards.map(({ state, content }) => {
    const filter = { _id: boardId(state) };
    return content === null
      ? { updateOne: { filter, update: { $set: { gone: true } } } }
      : { replaceOne: { filter, replacement: { gone: false, content }, upsert: true } };
  });
}

function versionWrites(boards: readonly PackedBoard[]): AnyBulkWriteOperation<VersionDocument>[] {
  return boards.map(({ state, content }) => {
    const _id = versionRowId(boardId(state), formatDate(state.changedAt));
    return { replaceOne: { filter: { _id }, replacement: { content }, upsert: true } };
  });
}

function pendingWrite({ state }: BoardWrite, past = false): AnyBulkWriteOperation<PendingBoardDocument> {
  return { replaceOne: { filter: { _id: boardId(state) }, replacement: past ? { past } : {}, upsert: true } };
}

function insertOperation(document: PendingChangesDocument): AnyBulkWriteOperation<PendingChangesDocument> {
  return { insertOne: { document } };
}
