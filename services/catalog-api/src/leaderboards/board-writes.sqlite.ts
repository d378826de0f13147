import { setImmediate } from 'node:timers/promises';
import { formatDate, nameKey } from '@lobbystats/contracts';
import { appendToOutbox, type SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { Entry, BoardContent } from './board.ts';
import type { BoardStore, BoardWrite } from './board-store.ts';
import { packContent } from './packed-content.node.ts';
import { boardValues, ENTRY_COLUMNS, OF_BOARD } from './board-reads.sqlite.ts';
import { addChanges } from '../changes/changes.sqlite.ts';
import { namedBoard, updateBoardWords, updatePlayerWords } from '../search/name-search.sqlite.ts';
import { pairEntries } from './diff-board.ts';

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

export function boardWrites(sqlite: SqliteStore) {
  return {
    // About 20 ms in which the process answers nothing else.
    rowsPerCommit: 1000,
    commit: async ({ expectedRevision, log, boards, seen = [], changes, facts }) => {
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
    confirm: async (confirmations) =>
      sqlite.transaction(() => {
        for (const board of confirmations) sqlite.run(CONFIRM, ...boardValues(board), board.pass, board.seenAt);
      }),
  } satisfies Partial<BoardStore>;
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

const READ = `SELECT entry_no AS number, place, rank, name, rating, time_ms AS timeMs FROM entry WHERE ${OF_BOARD} ORDER BY place`;
const ADD = 'INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
const MOVE = `UPDATE entry SET place = ?, rank = ? WHERE ${OF_BOARD} AND entry_no = ?`;
const CHANGE = `UPDATE entry SET place = ?, rank = ?, rating = ?, time_ms = ? WHERE ${OF_BOARD} AND entry_no = ?`;
const REMOVE = `DELETE FROM entry WHERE ${OF_BOARD} AND entry_no = ?`;

/** Moved rows keep their indexed fields. Rows are read again, since the commit lacks their row numbers. */
function putEntries(
  sqlite: SqliteStore,
  board: readonly [number, number],
  { isTime, entries }: Pick<BoardContent, 'isTime' | 'entries'>,
  added: Map<string, number>,
): void {
  const count = (playerKey: string, difference: 1 | -1) =>
    added.set(playerKey, (added.get(playerKey) ?? 0) + difference);
  const rows = sqlite.all<NumberedRow>(READ, ...board);
  const after = entries.map((entry): Row => ({ ...entry, timeMs: isTime ? entry.timeMs : null }));
  const { partners, removed } = pairEntries(rows, after, valueOf);
  for (const { number, name } of removed) {
    sqlite.run(REMOVE, ...board, number);
    count(nameKey(name), -1);
  }
  let highest = rows.reduce((most, { number }) => Math.max(most, number), 0);
  for (const [place, row] of after.entries()) {
    const { rank, name, rating, timeMs } = row;
    const old = partners[place];
    if (old === undefined) {
      highest += 1;
      const playerKey = nameKey(name);
      sqlite.run(ADD, ...board, highest, place, rank, name, playerKey, rating, timeMs);
      count(playerKey, 1);
    } else if (valueOf(old) !== valueOf(row)) {
      sqlite.run(CHANGE, place, rank, rating, timeMs, ...board, old.number);
    } else if (old.place !== place || old.rank !== rank) {
      sqlite.run(MOVE, place, rank, ...board, old.number);
    }
  }
}

function valueOf({ rating, timeMs }: Row): string {
  return `${timeMs ?? ''} ${rating}`;
}

interface Row extends Omit<Entry, 'timeMs'> {
  readonly timeMs: number | null;
}

interface NumberedRow extends Row {
  readonly number: number;
  readonly place: number;
}
