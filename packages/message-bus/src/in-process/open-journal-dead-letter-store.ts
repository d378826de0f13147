import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore, StoreRefusedError } from '@lobbystats/sqlite-store';
import type { DeadLetterStore } from '../message-bus.ts';
import { JournalDeadLetterStore } from './journal-dead-letter-store.ts';
import { journalMigrations, JOURNAL_NAME } from './journal-schema.ts';

export class NoJournalError extends Error {
  override readonly name = 'NoJournalError';
}

/**
 * Opens a journal's dead letters, also while a bus uses it.
 *
 * @throws NoJournalError when the file doesn't exist
 * @throws StoreRefusedError when it isn't a journal, or one of another release
 */
export function openJournalDeadLetterStore(path: string): DeadLetterStore {
  if (!existsSync(path)) throw new NoJournalError(`there is no bus journal at ${path} yet`);
  const store = openSqliteStore({
    url: `sqlite:${path}`,
    name: JOURNAL_NAME,
    origin: readOrigin(path),
    migrations: journalMigrations,
    durability: 'full',
    lockTimeoutMs: 5000,
  });
  return new JournalDeadLetterStore(store);
}

/** Read from the file, since operators don't give it. Only the bus migrates the schema. */
function readOrigin(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const stored = new Map(
      db
        .prepare('SELECT key, value FROM store_identity')
        .all()
        .map((row) => [row['key'], String(row['value'])]),
    );
    if (Number(stored.get('schema_version') ?? 0) < journalMigrations.length) {
      throw new StoreRefusedError(`${path} was written by an older release: start this release on it once`);
    }
    return stored.get('origin') ?? '';
  } catch (error) {
    if (error instanceof StoreRefusedError) throw error;
    throw new StoreRefusedError(`${path} is not a bus journal`, { cause: error });
  } finally {
    db.close();
  }
}
