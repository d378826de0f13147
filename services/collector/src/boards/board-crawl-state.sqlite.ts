import { BOARD_PASS_SECONDS } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { BoardState, BoardCrawlState, DueBoard } from './board-crawl-state.ts';
import type { PageValidators } from '../network/page-cache.ts';
import { groupOf } from './board-schedule.ts';
import { withoutExcess } from '../network/board.ts';

interface BoardRow {
  name: string;
  listed: number;
  said_pass: number | null;
  said_digest: string | null;
  validators: string;
  owed_at: number | null;
}

const OF_BOARD = 'WHERE title_id = ? AND leaderboard_id = ?';
const DUE = 'SELECT title_id AS titleId, leaderboard_id AS leaderboardId, name FROM board WHERE';

export function createSqliteBoardCrawlState(store: SqliteStore): BoardCrawlState {
  return {
    async updateListing(titleId, boards) {
      const namesById = new Map(boards.map(({ id, name }) => [id, name]));
      const sql = 'SELECT leaderboard_id AS id, name, listed FROM board WHERE title_id = ?';
      const stored = store.all<{ id: number; name: string; listed: number }>(sql, titleId);
      const dropped = stored.filter(({ id, listed }) => listed === 1 && !namesById.has(id));
      for (const { id, name, listed } of stored) if (listed === 1 && namesById.get(id) === name) namesById.delete(id);
      if (dropped.length === 0 && namesById.size === 0) return;
      store.transaction(() => {
        const drop = 'UPDATE board SET listed = 0 WHERE title_id = ? AND leaderboard_id = ?';
        for (const { id } of dropped) store.run(drop, titleId, id);
        const put = `INSERT INTO board (title_id, leaderboard_id, turn, name, listed) VALUES (?1, ?2, ?3, ?4, 1)
                     ON CONFLICT DO UPDATE SET name = ?4, listed = 1,
                       validators = CASE name WHEN ?4 THEN validators ELSE '[]' END`;
        const known = new Set(stored.map(({ id }) => id));
        for (const [id, name] of withoutExcess(namesById, known)) {
          store.run(put, titleId, id, groupOf({ titleId, leaderboardId: id }), name);
        }
      });
    },

    async due(group) {
      return store.all<DueBoard>(`${DUE} turn = ? AND (listed = 1 OR said_digest IS NOT NULL)`, group);
    },

    async pendingRetries(pass) {
      const sql = `${DUE} owed_at >= ? AND owed_at < ? ORDER BY owed_at`;
      return store.all<DueBoard>(sql, pass, pass + BOARD_PASS_SECONDS);
    },

    async get({ titleId, leaderboardId }) {
      const sql = `SELECT name, listed, said_pass, said_digest, validators, owed_at FROM board ${OF_BOARD}`;
      const row = store.get<BoardRow>(sql, titleId, leaderboardId);
      return row === undefined ? undefined : stateOf(row);
    },

    async beginPublishing({ titleId, leaderboardId }, { pass, digest }, nowMs) {
      return store.transaction(() => {
        const asked = `SELECT saying_digest AS digest FROM board ${OF_BOARD} AND saying_pass = ?`;
        const before = store.get<{ digest: string | null }>(asked, titleId, leaderboardId, pass);
        const sql = `UPDATE board SET saying_pass = ?3, saying_digest = ?4,
                       said_pass = COALESCE(said_pass, 0), said_digest = '', validators = '[]'
                     WHERE title_id = ?1 AND leaderboard_id = ?2
                       AND (said_pass IS NULL OR said_pass < ?3 OR said_pass * 1000 > ?5)`;
        if (store.run(sql, titleId, leaderboardId, pass, digest, Math.floor(nowMs)) === 0) return false;
        return { before: before?.digest };
      });
    },

    async markPublished({ titleId, leaderboardId }, { pass, digest }, validators) {
      const sql = `UPDATE board SET said_pass = ?3, said_digest = ?4, validators = ?5, owed_at = NULL,
                     listed = CASE WHEN ?4 IS NULL THEN 0 ELSE listed END
                   WHERE title_id = ?1 AND leaderboard_id = ?2`;
      store.run(sql, titleId, leaderboardId, pass, digest, JSON.stringify(validators));
    },

    async markConfirmed({ titleId, leaderboardId }, validators) {
      const sql = `UPDATE board SET validators = ?, owed_at = NULL ${OF_BOARD}`;
      store.run(sql, JSON.stringify(validators), titleId, leaderboardId);
    },

    async setPendingRetry({ titleId, leaderboardId }, at) {
      store.run(`UPDATE board SET owed_at = ? ${OF_BOARD}`, at, titleId, leaderboardId);
    },

    async forgetGone(beforePass) {
      const sql = 'DELETE FROM board WHERE listed = 0 AND said_digest IS NULL AND coalesce(said_pass, 0) < ?';
      store.run(sql, beforePass);
    },
  };
}

function stateOf({ name, listed, said_pass, said_digest, validators, owed_at }: BoardRow): BoardState {
  return {
    name,
    isListed: listed === 1,
    published: said_pass === null ? null : { pass: said_pass, digest: said_digest },
    validators: JSON.parse(validators) as PageValidators[],
    retryPendingSince: owed_at,
  };
}
