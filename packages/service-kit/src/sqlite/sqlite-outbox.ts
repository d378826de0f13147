import type { Fact, Outbox, PendingFact } from '@lobbystats/contracts';
import type { SqliteStore } from './sqlite-store.ts';

export const outboxTable = `
  CREATE TABLE outbox (
    -- Never given twice, so that facts of a later commit have higher ones.
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    occurred_at INTEGER NOT NULL,
    past INTEGER NOT NULL,
    data TEXT NOT NULL
  ) STRICT;`;

/** Call it within a transaction. */
export function appendToOutbox(sqlite: SqliteStore, facts: readonly Fact[]): void {
  const insert = sqlite.prepare('INSERT INTO outbox (type, id, occurred_at, past, data) VALUES (?, ?, ?, ?, ?)');
  for (const { type, id, occurredAt, past, data } of facts) {
    insert.run(type, id, occurredAt, Number(past), JSON.stringify(data));
  }
}

export function createSqliteOutbox(sqlite: SqliteStore): Outbox {
  return {
    pending: async (limit) =>
      sqlite
        .all<OutboxRow>(
          'SELECT place, type, id, occurred_at AS occurredAt, past, data FROM outbox ORDER BY place LIMIT ?',
          limit,
        )
        .map(toPendingFact),
    // A fact that remains is published again under the same id.
    remove: async (positions) =>
      sqlite.nonDurableTransaction(() => {
        const remove = sqlite.prepare('DELETE FROM outbox WHERE place = ?');
        for (const position of positions) remove.run(position);
      }),
    backlog: async () => sqlite.get<{ n: number }>('SELECT count(*) AS n FROM outbox')?.n ?? 0,
  };
}

interface OutboxRow extends Omit<PendingFact, 'past' | 'data'> {
  past: number;
  data: string;
}

function toPendingFact({ past, data, ...fact }: OutboxRow): PendingFact {
  return { ...fact, past: past === 1, data: JSON.parse(data) as unknown };
}
