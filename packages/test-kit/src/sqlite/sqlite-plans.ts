import { SqliteStore } from '@lobbystats/service-kit/sqlite';

/** Query plans of the statements of SQLite stores. */
export interface SqlitePlans {
  /** Resolves to the plan steps of all statements during the use. */
  during(use: () => Promise<unknown>): Promise<string[]>;
  stop(): void;
}

/** Records the statements of all stores in this process until `stop`. */
export function sqlitePlans(): SqlitePlans {
  const prepare = jest.spyOn(SqliteStore.prototype, 'prepare');
  return {
    async during(use) {
      prepare.mockClear();
      await use();
      const stores = prepare.mock.contexts as SqliteStore[];
      return prepare.mock.calls.flatMap(([sql], index) => {
        const store = stores[index];
        return store === undefined ? [] : stepsOf(store, sql);
      });
    },
    stop: () => {
      prepare.mockRestore();
    },
  };
}

function stepsOf({ db }: SqliteStore, sql: string): string[] {
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  return steps.map(({ detail }) => String(detail));
}
