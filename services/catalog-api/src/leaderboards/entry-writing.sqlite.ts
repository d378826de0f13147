import { nameKey } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { BoardContent, Entry } from './board.ts';
import { pairEntries } from './pair-entries.ts';

const OF_BOARD = 'title_id = ? AND leaderboard_id = ?';
const READ = `SELECT entry_no AS number, place, rank, name, rating, time_ms AS timeMs FROM entry WHERE ${OF_BOARD} ORDER BY place`;
const ADD = 'INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
const MOVE = `UPDATE entry SET place = ?, rank = ? WHERE ${OF_BOARD} AND entry_no = ?`;
const CHANGE = `UPDATE entry SET place = ?, rank = ?, rating = ?, time_ms = ? WHERE ${OF_BOARD} AND entry_no = ?`;
const REMOVE = `DELETE FROM entry WHERE ${OF_BOARD} AND entry_no = ?`;

/** Moved rows keep their indexed fields. Rows are read again, since the commit lacks their row numbers. */
export function putEntries(
  sqlite: SqliteStore,
  board: readonly [number, number],
  { isTime, entries }: Pick<BoardContent, 'isTime' | 'entries'>,
): void {
  const rows = sqlite.all<NumberedRow>(READ, ...board);
  const after = entries.map((entry): Row => ({ ...entry, timeMs: isTime ? entry.timeMs : null }));
  const { partners, removed } = pairEntries(rows, after, valueOf);
  for (const { number } of removed) sqlite.run(REMOVE, ...board, number);
  let highest = rows.reduce((most, { number }) => Math.max(most, number), 0);
  for (const [place, row] of after.entries()) {
    const { rank, name, rating, timeMs } = row;
    const old = partners[place];
    if (old === undefined) {
      highest += 1;
      sqlite.run(ADD, ...board, highest, place, rank, name, nameKey(name), rating, timeMs);
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
