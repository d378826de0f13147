import { randomUUID } from 'node:crypto';
import type { Withdrawal } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { WithdrawalStore } from './withdrawal-store.ts';

export function createSqliteWithdrawalStore(store: SqliteStore): WithdrawalStore {
  return {
    async add(withdrawal) {
      store.run('INSERT INTO withdrawal (id, message) VALUES (?, ?)', randomUUID(), JSON.stringify(withdrawal));
    },
    async pending() {
      const rows = store.all<{ id: string; message: string }>('SELECT id, message FROM withdrawal');
      return new Map(rows.map(({ id, message }) => [id, JSON.parse(message) as Withdrawal]));
    },
    async remove(id) {
      store.run('DELETE FROM withdrawal WHERE id = ?', id);
    },
  };
}
