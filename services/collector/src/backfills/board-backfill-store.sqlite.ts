import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { BoardBackfillState, BoardBackfillStore } from './board-backfill-store.ts';
import { slotIndexOf } from '../leaderboards/board-schedule.ts';
import { leasedRow } from '../leases/leased-row.sqlite.ts';

interface BackfillRow {
  from_pass: number;
  to_pass: number;
  cursor: string | null;
  reached: number;
  done: number;
}

export function createSqliteBoardBackfillStore(store: SqliteStore): BoardBackfillStore {
  const stateNow = (): BoardBackfillState | undefined => {
    const row = store.get<BackfillRow>('SELECT from_pass, to_pass, cursor, reached, done FROM board_fill');
    return row === undefined ? undefined : stateOf(row);
  };

  return {
    ...leasedRow(store, 'board_fill'),

    async begin({ fromPass, toPass }) {
      const sql = `INSERT INTO board_fill (id, from_pass, to_pass, reached) VALUES (1, ?1, ?2, ?1)
                   ON CONFLICT DO NOTHING`;
      store.run(sql, fromPass, toPass);
      return stateNow() ?? { fromPass, toPass, cursor: null, reached: fromPass, isDone: false };
    },

    async state() {
      return stateNow();
    },

    async advance(cursor, { next, reached, published }) {
      store.transaction(() => {
        const sql = 'UPDATE board_fill SET cursor = ?, reached = ?, done = ? WHERE cursor IS ? AND done = 0';
        if (store.run(sql, next, reached, next === null ? 1 : 0, cursor) === 0) return;
        const put = `INSERT INTO board (title_id, leaderboard_id, turn, name, listed, said_pass, said_digest)
                     VALUES (?1, ?2, ?3, ?4, ?6 IS NOT NULL, ?5, ?6)
                     ON CONFLICT DO UPDATE SET said_pass = ?5, said_digest = ?6, validators = '[]'`;
        for (const { titleId, leaderboardId, name, pass, digest } of published) {
          store.run(put, titleId, leaderboardId, slotIndexOf({ titleId, leaderboardId }), name, pass, digest);
        }
      });
    },
  };
}

function stateOf({ from_pass, to_pass, cursor, reached, done }: BackfillRow): BoardBackfillState {
  return { fromPass: from_pass, toPass: to_pass, cursor, reached, isDone: done === 1 };
}
