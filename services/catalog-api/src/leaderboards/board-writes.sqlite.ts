import { formatDate } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { Entry } from './board.ts';
import type { BoardStore, BoardWrite } from './board-store.ts';
import { packContent } from './packed-content.zlib.ts';
import { ENTRY_COLUMNS } from './board-rows.sqlite.ts';
import { addChanges } from '../changes/change-writing.sqlite.ts';
import { putEntries } from './entry-writing.sqlite.ts';
import { appendToOutbox } from '@lobbystats/sqlite-store';
import { titleKey } from '../titles/title-key.sqlite.ts';

const UPDATE_LOG = 'UPDATE change_log SET revision = ?, last_id = ?, last_changed_at = ? WHERE revision = ?';
const PUT_STATE = `INSERT OR REPLACE INTO board VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
  max(?10, ifnull((SELECT observed_at FROM board WHERE title_id = ?1 AND leaderboard_id = ?2), 0)))`;
const UPDATE_PASS = `UPDATE board SET pass = ?3, observed_at = max(observed_at, ?4)
  WHERE title_id = ?1 AND leaderboard_id = ?2`;
const CONFIRM = `UPDATE board SET observed_at = ?4
  WHERE title_id = ?1 AND leaderboard_id = ?2 AND pass >= ?3 AND observed_at < ?4`;
const READ_ENTRIES = `SELECT ${ENTRY_COLUMNS} FROM entry WHERE title_id = ? AND leaderboard_id = ? ORDER BY place`;
const PUT_VERSION = `INSERT INTO board_version (title_id, leaderboard_id, day, content) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET content = excluded.content`;

export function boardWrites(sqlite: SqliteStore) {
  return {
    commit: async ({ expectedRevision, log, boards, seen = [], changes, facts }) =>
      sqlite.transaction(() => {
        const moved = sqlite.run(UPDATE_LOG, log.revision, log.lastId, log.lastChangedAt, expectedRevision);
        if (moved === 0) return false;
        for (const board of boards) putBoard(sqlite, board);
        for (const { titleId, leaderboardId, pass, seenAt } of seen) {
          sqlite.run(UPDATE_PASS, titleKey(titleId), leaderboardId, pass, seenAt);
        }
        addChanges(sqlite, changes);
        appendToOutbox(sqlite, facts);
        return true;
      }),
    confirm: async (confirmations) =>
      sqlite.transaction(() => {
        for (const { titleId, leaderboardId, pass, seenAt } of confirmations) {
          sqlite.run(CONFIRM, titleKey(titleId), leaderboardId, pass, seenAt);
        }
      }),
  } satisfies Partial<BoardStore>;
}

function putBoard(sqlite: SqliteStore, { state: after, entries }: BoardWrite): void {
  const { titleId, leaderboardId, name, isTime, entryCount, gone, version, pass, changedAt, observedAt } = after;
  const board = [titleKey(titleId), leaderboardId] as const;
  const state = [name, Number(isTime), entryCount, Number(gone), version, pass, changedAt, observedAt];
  sqlite.run(PUT_STATE, ...board, ...state);
  const before = gone ? sqlite.all<Entry>(READ_ENTRIES, ...board) : [];
  putEntries(sqlite, board, { isTime, entries });

  const content = gone ? null : packContent({ name, isTime, entries });
  sqlite.run(PUT_VERSION, ...board, formatDate(changedAt), content);
  if (!gone) sqlite.run('DELETE FROM gone_board WHERE title_id = ? AND leaderboard_id = ?', ...board);
  else if (version > 1) {
    const last = packContent({ name, isTime, entries: before });
    sqlite.run('INSERT OR REPLACE INTO gone_board VALUES (?, ?, ?)', ...board, last);
  }
}
