import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { BackfillState, BackfillStore } from './backfill-store.ts';
import { leasedRow } from '../leases/leased-row.sqlite.ts';

interface BackfillRow {
  from_slot: number;
  to_slot: number;
  from_day: number;
  to_day: number;
  done_from: number;
  days_done: number;
}

export function createSqliteBackfillStore(store: SqliteStore): BackfillStore {
  const stateNow = (): BackfillState | undefined => {
    const row = store.get<BackfillRow>('SELECT from_slot, to_slot, from_day, to_day, done_from, days_done FROM fill');
    return row === undefined ? undefined : stateOf(row);
  };

  return {
    ...leasedRow(store, 'fill'),

    async begin(range) {
      const { fromSlot, toSlot, fromDay, toDay } = range;
      const sql = `INSERT INTO fill (id, from_slot, to_slot, from_day, to_day, done_from)
                   VALUES (1, ?1, ?2, ?3, ?4, ?2) ON CONFLICT DO NOTHING`;
      store.run(sql, fromSlot, toSlot, fromDay, toDay);
      return stateNow() ?? { ...range, doneFrom: toSlot, daysDone: false };
    },

    async state() {
      return stateNow();
    },

    async markDaysDone() {
      store.run('UPDATE fill SET days_done = 1');
    },

    async setDoneFrom(slot) {
      store.run('UPDATE fill SET done_from = ?1 WHERE done_from > ?1', slot);
    },
  };
}

function stateOf({ from_slot, to_slot, from_day, to_day, done_from, days_done }: BackfillRow): BackfillState {
  return {
    fromSlot: from_slot,
    toSlot: to_slot,
    fromDay: from_day,
    toDay: to_day,
    doneFrom: done_from,
    daysDone: days_done === 1,
  };
}
