import { SqliteStore } from '@lobbystats/sqlite-store';

/** What SQLite plans for the statements that stores make. */
export interface SqlitePlans {
  /** The steps of the plans for what a use makes of statements. */
  of(use: () => Promise<unknown>): Promise<string[]>;
  stop(): void;
}

/** Watches all stores of this process, until it is stopped. */
export function sqlitePlans(): SqlitePlans {
  const prepare = jest.spyOn(SqliteStore.prototype, 'prepare');
  return {
    async of(use) {
      prepare.mockClear();
      await use();
      const stores = prepare.mock.contexts as SqliteStore[];
      return prepare.mock.calls.flatMap(([sql], index) => stepsOf(stores[index]!, sql));
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
