import type { DatabaseSync } from 'node:sqlite';
import { StoreRefusedError } from './store-errors.ts';

export interface StoreIdentity {
  name: string;
  origin: string;
}

/**
 * Checks kind and network, stamps a new store, and runs pending migrations in one transaction.
 *
 * @param migrations the schema's version is how many of them have run
 * @throws StoreRefusedError for a store of another kind or network, or one with a newer schema
 */
export function claimStore(
  db: DatabaseSync,
  location: string,
  identity: StoreIdentity,
  migrations: readonly string[],
): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    db.exec('CREATE TABLE IF NOT EXISTS store_identity (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
    const stored = new Map(
      db
        .prepare('SELECT key, value FROM store_identity')
        .all()
        .map((row) => [String(row['key']), String(row['value'])]),
    );
    const name = stored.get('name') ?? identity.name;
    const origin = stored.get('origin') ?? identity.origin;
    if (name !== identity.name) {
      throw new StoreRefusedError(
        `${location} holds "${name}", not "${identity.name}": give each store a file of its own`,
      );
    }
    if (origin !== identity.origin) {
      throw new StoreRefusedError(
        `${location} was filled by the network "${origin}" and this one is "${identity.origin}": ` +
          'set NETWORK_ORIGIN back, or use another data directory',
      );
    }
    const version = Number(stored.get('schema_version') ?? 0);
    if (version > migrations.length) {
      throw new StoreRefusedError(
        `${location} has schema version ${version}, and this release knows up to ${migrations.length}: run a newer release`,
      );
    }
    for (const migration of migrations.slice(version)) db.exec(migration);
    const put = db.prepare('INSERT OR REPLACE INTO store_identity (key, value) VALUES (?, ?)');
    put.run('name', identity.name);
    put.run('origin', identity.origin);
    put.run('schema_version', String(migrations.length));
    db.exec('COMMIT');
  } catch (error) {
    // A full disk rolls back by itself; a second ROLLBACK would hide the reason.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
