import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { Lease } from './lease.ts';

export function leasedRow(store: SqliteStore, table: 'fill' | 'board_fill' | 'player_fill') {
  return {
    async take({ holder, nowMs, untilMs }: Lease): Promise<boolean> {
      const sql = `UPDATE ${table} SET lease_holder = ?1, lease_until_ms = ?2
                   WHERE lease_holder IS NULL OR lease_holder = ?1 OR lease_until_ms <= ?3`;
      return store.run(sql, holder, Math.floor(untilMs), Math.floor(nowMs)) === 1;
    },

    async release(holder: string): Promise<void> {
      store.run(`UPDATE ${table} SET lease_holder = NULL WHERE lease_holder = ?`, holder);
    },
  };
}
