import { formatDate } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { BoardStore, BoardWrite } from '../../domain/board-store.ts';
import { packContent } from '../packed-content.ts';
import { addChanges } from './change-writing.ts';
import { putEntries } from './entry-writing.ts';
import { addFacts } from '@lobbystats/sqlite-store';
import { titleKey } from './title-key.ts';

const MOVE_LOG = 'UPDATE change_log SET revision = ?, last_id = ?, last_changed_at = ? WHERE revision = ?';
const PUT_STATE = 'INSERT OR REPLACE INTO board VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
const PUT_VERSION = `INSERT INTO board_version (title_id, leaderboard_id, day, content) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET content = excluded.content`;

/** Commits of boards. */
export function boardWriting(sqlite: SqliteStore) {
  return {
    commit: async ({ expectedRevision, log, boards, seen = [], changes, facts }) =>
      sqlite.transaction(() => {
        const moved = sqlite.run(MOVE_LOG, log.revision, log.lastId, log.lastChangedAt, expectedRevision);
        if (moved === 0) return false;
        for (const board of boards) putBoard(sqlite, board);
        for (const { titleId, leaderboardId, pass } of seen) {
          const key = titleKey(titleId);
          sqlite.run('UPDATE board SET pass = ? WHERE title_id = ? AND leaderboard_id = ?', pass, key, leaderboardId);
        }
        addChanges(sqlite, changes);
        addFacts(sqlite, facts);
        return true;
      }),
  } satisfies Partial<BoardStore>;
}

function putBoard(sqlite: SqliteStore, write: BoardWrite): void {
  const { titleId, leaderboardId, name, isTime, entryCount, gone, version, pass, changedAt } = write.state;
  const board = [titleKey(titleId), leaderboardId] as const;
  sqlite.run(PUT_STATE, ...board, name, Number(isTime), entryCount, Number(gone), version, pass, changedAt);
  putEntries(sqlite, board, { isTime, entries: write.after });

  const content = gone ? null : packContent({ name, isTime, entries: write.after });
  sqlite.run(PUT_VERSION, ...board, formatDate(changedAt), content);
  if (!gone) sqlite.run('DELETE FROM gone_board WHERE title_id = ? AND leaderboard_id = ?', ...board);
  else if (version > 1) {
    const last = packContent({ name, isTime, entries: write.before });
    sqlite.run('INSERT OR REPLACE INTO gone_board VALUES (?, ?, ?)', ...board, last);
  }
}
