import type { SqliteStore } from '@lobbystats/sqlite-store';

interface OutboxRow {
  place: number;
  past: number;
  data: string;
}

/**
 * Outbox rows in MongoDB's format.
 *
 * @param counters the collection of the last position
 */
export function* exportOutbox(sqlite: SqliteStore, counters: string): Generator<readonly [string, object]> {
  const sql = 'SELECT place, type, id, occurred_at AS occurredAt, past, data FROM outbox ORDER BY place';
  for (const { place, past, data, ...fact } of sqlite.all<OutboxRow>(sql)) {
    yield ['outbox', { _id: place, ...fact, past: past === 1, data: JSON.parse(data) as unknown }];
  }
  const last = sqlite.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")?.seq;
  if (last !== undefined) yield [counters, { _id: 'outbox', place: last }];
}
