import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { groupOf } from '../boards/board-schedule.ts';
import type {
  BackfillState,
  BackfillStore,
  BoardBackfillState,
  BoardBackfillStore,
  BackfilledBoard,
  PlayerBackfillState,
  PlayerBackfillStore,
} from './backfill-store.ts';

/** A row whose columns are named like the fields of a state; `flag` is 0 or 1. */
type Row<State, Flag extends keyof State> = Omit<State, Flag> & Record<Flag, number>;

export function createSqliteBackfillStore(store: SqliteStore): BackfillStore {
  return {
    async begin(range) {
      const { fromSlot, toSlot, fromDay, toDay } = range;
      const sql = `INSERT INTO fill (id, from_slot, to_slot, from_day, to_day, done_from)
                   VALUES (1, ?1, ?2, ?3, ?4, ?2) ON CONFLICT DO NOTHING`;
      store.run(sql, fromSlot, toSlot, fromDay, toDay);
      return snapshotState(store) ?? { ...range, doneFrom: toSlot, daysDone: false };
    },

    state: async () => snapshotState(store),

    async markDaysDone() {
      store.run('UPDATE fill SET days_done = 1');
    },

    async setDoneFrom(slot) {
      store.run('UPDATE fill SET done_from = ?1 WHERE done_from > ?1', slot);
    },
  };
}

export function createSqliteBoardBackfillStore(store: SqliteStore): BoardBackfillStore {
  return {
    async begin({ fromPass, toPass }) {
      const sql = `INSERT INTO board_fill (id, from_pass, to_pass, reached) VALUES (1, ?1, ?2, ?1)
                   ON CONFLICT DO NOTHING`;
      store.run(sql, fromPass, toPass);
      return boardState(store) ?? { fromPass, toPass, cursor: null, reached: fromPass, isDone: false };
    },

    state: async () => boardState(store),

    async advance(cursor, { next, reached, published }) {
      store.transaction(() => {
        const sql = 'UPDATE board_fill SET cursor = ?, reached = ?, done = ? WHERE cursor IS ? AND done = 0';
        if (store.run(sql, next, reached, next === null ? 1 : 0, cursor) === 0) return;
        const put = `INSERT INTO board (title_id, leaderboard_id, turn, name, listed, said_pass, said_digest)
                     VALUES (?1, ?2, ?3, ?4, ?6 IS NOT NULL, ?5, ?6)
                     ON CONFLICT DO UPDATE SET said_pass = ?5, said_digest = ?6, validators = '[]'`;
        for (const { titleId, leaderboardId, name, pass, digest } of published) {
          store.run(put, titleId, leaderboardId, groupOf({ titleId, leaderboardId }), name, pass, digest);
        }
      });
    },

    published: async () =>
      store.all<Omit<BackfilledBoard, 'name'>>(
        `SELECT title_id AS titleId, leaderboard_id AS leaderboardId, said_pass AS pass, said_digest AS digest
          FROM board WHERE said_pass IS NOT NULL`,
      ),
  };
}

export function createSqlitePlayerBackfillStore(store: SqliteStore): PlayerBackfillStore {
  return {
    async begin({ from, to }) {
      store.run('INSERT INTO player_fill (id, from_slot, to_slot) VALUES (1, ?, ?) ON CONFLICT DO NOTHING', from, to);
      return playerState(store) ?? { from, to, cursor: null, isDone: false };
    },

    state: async () => playerState(store),

    async advance(cursor, next) {
      const sql = 'UPDATE player_fill SET cursor = ?, done = ? WHERE cursor IS ? AND done = 0';
      store.run(sql, next, next === null ? 1 : 0, cursor);
    },
  };
}

/** The documents of MongoDB that continue the backfills of a SQLite store, by collection. */
export function* exportBackfills(store: SqliteStore): Generator<readonly [collection: string, document: object]> {
  const states = [
    ['fill', 'past', snapshotState(store)],
    ['board_fill', 'boards', boardState(store)],
    ['player_fill', 'players', playerState(store)],
  ] as const;
  for (const [collection, _id, state] of states) {
    if (state !== undefined) yield [collection, { _id, ...state }];
  }
}

function snapshotState(store: SqliteStore): BackfillState | undefined {
  const row = store.get<Row<BackfillState, 'daysDone'>>(
    `SELECT from_slot AS fromSlot, to_slot AS toSlot, from_day AS fromDay, to_day AS toDay, done_from AS doneFrom,
       days_done AS daysDone FROM fill`,
  );
  return row && { ...row, daysDone: row.daysDone === 1 };
}

function boardState(store: SqliteStore): BoardBackfillState | undefined {
  const row = store.get<Row<BoardBackfillState, 'isDone'>>(
    'SELECT from_pass AS fromPass, to_pass AS toPass, cursor, reached, done AS isDone FROM board_fill',
  );
  return row && { ...row, isDone: row.isDone === 1 };
}

function playerState(store: SqliteStore): PlayerBackfillState | undefined {
  const row = store.get<Row<PlayerBackfillState, 'isDone'>>(
    'SELECT from_slot AS "from", to_slot AS "to", cursor, done AS isDone FROM player_fill',
  );
  return row && { ...row, isDone: row.isDone === 1 };
}
