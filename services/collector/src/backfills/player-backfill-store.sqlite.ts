import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { PlayerBackfillState, PlayerBackfillStore } from './player-backfill-store.ts';
import { leasedRow } from '../leases/leased-row.sqlite.ts';

interface BackfillRow {
  from_slot: number;
  to_slot: number;
  cursor: string | null;
  done: number;
}

export function createSqlitePlayerBackfillStore(store: SqliteStore): PlayerBackfillStore {
  const stateNow = (): PlayerBackfillState | undefined => {
    const row = store.get<BackfillRow>('SELECT from_slot, to_slot, cursor, done FROM player_fill');
    return row && { from: row.from_slot, to: row.to_slot, cursor: row.cursor, isDone: row.done === 1 };
  };
  return {
    ...leasedRow(store, 'player_fill'),

    async begin({ from, to }) {
      store.run('INSERT INTO player_fill (id, from_slot, to_slot) VALUES (1, ?, ?) ON CONFLICT DO NOTHING', from, to);
      return stateNow() ?? { from, to, cursor: null, isDone: false };
    },

    async state() {
      return stateNow();
    },

    async advance(cursor, next) {
      const sql = 'UPDATE player_fill SET cursor = ?, done = ? WHERE cursor IS ? AND done = 0';
      store.run(sql, next, next === null ? 1 : 0, cursor);
    },
  };
}
