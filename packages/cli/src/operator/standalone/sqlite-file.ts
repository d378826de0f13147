import { DatabaseSync } from 'node:sqlite';

export interface SqliteIdentity {
  readonly name: string | undefined;
  readonly origin: string | undefined;
  readonly schemaVersion: number;
}

export function openReadOnly(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: 5000 });
}

/** @throws when the file is not a store */
export function identityOf(db: DatabaseSync): SqliteIdentity {
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
