import { DatabaseSync } from 'node:sqlite';
import { catalogMigrations } from '@lobbystats/catalog-api/admin';
import { collectorMigrations } from '@lobbystats/collector/admin';
import { journalMigrations } from '@lobbystats/service-kit/bus';
import { reputationMigrations } from '@lobbystats/reputation-api/admin';
import { seriesMigrations } from '@lobbystats/series-api/admin';
import { userMigrations } from '@lobbystats/user-api/admin';

export interface StandaloneStore {
  readonly file: string;
  readonly migrations: readonly string[];
}

export const standaloneStores = {
  bus: { file: 'bus.sqlite', migrations: journalMigrations },
  collector: { file: 'collector.sqlite', migrations: collectorMigrations },
  series: { file: 'series.sqlite', migrations: seriesMigrations },
  catalog: { file: 'catalog.sqlite', migrations: catalogMigrations },
  users: { file: 'users.sqlite', migrations: userMigrations },
  reputation: { file: 'reputation.sqlite', migrations: reputationMigrations },
} as const satisfies Record<string, StandaloneStore>;

/** Beside the stores, unless the setting ERASURE_KEY has the key. */
export const KEY_FILE = 'erasure.key';

/** Opens a file read-only for `work`, then closes it. */
export async function readStore<Result>(
  path: string,
  work: (db: DatabaseSync) => Result | Promise<Result>,
): Promise<Result> {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

/** @throws when the file is not a store */
export function identityOf(db: DatabaseSync) {
  const rows = db.prepare('SELECT key, value FROM store_identity').all();
  const stored = new Map(rows.map((row) => [String(row['key']), String(row['value'])]));
  return {
    name: stored.get('name'),
    origin: stored.get('origin'),
    schemaVersion: Number(stored.get('schema_version') ?? 0),
  };
}

export function countRows(db: DatabaseSync): Record<string, number> {
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map((row) => String(row['name']));
  return Object.fromEntries(tables.map((table) => [table, countOf(db, `SELECT count(*) AS n FROM "${table}"`)]));
}

export function countOf(db: DatabaseSync, sql: string): number {
  return Number(db.prepare(sql).get()?.['n'] ?? 0);
}
