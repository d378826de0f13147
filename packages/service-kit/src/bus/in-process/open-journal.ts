import { DatabaseSync } from 'node:sqlite';
import { StartupError } from '@lobbystats/contracts/errors';
import { openSqliteStore, preparePrivateFile, toStoreRefusedError } from '../../sqlite/index.ts';
import { Journal } from './journal.ts';
import { JOURNAL_NAME, journalMigrations } from './journal-schema.ts';

export interface JournalLocation {
  readonly path: string;
  readonly durable: boolean;
}

export function parseJournalUrl(url: string): JournalLocation {
  const path = url.replace(/^memory:/, '');
  return path === '' || path === ':memory:' ? { path: ':memory:', durable: false } : { path, durable: true };
}

/**
 * SQLite's waits block the event loop: fail early. A large write-ahead log (64 MiB) makes checkpoints rare, since
 * messages touch the same pages again and again.
 */
const CONNECTION_PRAGMAS = `
  PRAGMA busy_timeout = 1000;
  PRAGMA wal_autocheckpoint = 16384;
  PRAGMA journal_size_limit = 67108864;`;

export class JournalInUseError extends StartupError {
  override readonly name = 'JournalInUseError';
}

/**
 * Opens the journal exclusively.
 *
 * @throws JournalInUseError when another process has it
 * @throws StoreRefusedError when it belongs to another network or to newer code, or its file can't be used
 */
export function openJournal({ path, durable }: JournalLocation, origin: string): Journal {
  const lock = durable ? lockJournal(path) : undefined;
  try {
    const store = openSqliteStore({
      url: `sqlite:${path}`,
      name: JOURNAL_NAME,
      origin,
      migrations: journalMigrations,
      durability: 'full',
    });
    store.db.exec(CONNECTION_PRAGMAS);
    return new Journal(store, () => lock?.release());
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/**
 * Locks the journal exclusively, by SQLite's reserved lock on a file beside it. The kernel releases it when the process
 * ends. The owner stays readable.
 *
 * @throws JournalInUseError when another process holds it
 * @throws StoreRefusedError when the lock's file can't be used
 */
export function lockJournal(journalPath: string): { release(): void } {
  const lock = openLock(`${journalPath}.lock`);
  try {
    lock.exec('CREATE TABLE IF NOT EXISTS owner (pid INTEGER NOT NULL) STRICT');
    lock.exec('BEGIN IMMEDIATE; DELETE FROM owner');
    lock.prepare('INSERT INTO owner (pid) VALUES (?)').run(process.pid);
    lock.exec('COMMIT; BEGIN IMMEDIATE');
  } catch (error) {
    const owner = isBusy(error) ? describeOwner(lock) : undefined;
    lock.close();
    if (owner === undefined) throw toStoreRefusedError(`${journalPath}.lock`, error);
    throw new JournalInUseError(
      `The bus journal ${journalPath} is in use by ${owner}: a memory: bus belongs to one process. ` +
        'Stop that process, or give this one another journal (BUS_URL=memory:PATH) or data directory',
      { cause: error },
    );
  }
  return {
    release: () => {
      if (lock.isOpen) lock.close();
    },
  };
}

function openLock(path: string): DatabaseSync {
  try {
    preparePrivateFile(path);
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw toStoreRefusedError(path, error);
  }
}

function describeOwner(lock: DatabaseSync): string {
  try {
    const pid = lock.prepare('SELECT pid FROM owner').get()?.['pid'];
    return pid === undefined ? 'another process' : `process ${String(pid)}`;
  } catch {
    return 'another process';
  }
}

function isBusy(error: unknown): boolean {
  const isFromSqlite = typeof error === 'object' && error !== null && 'errcode' in error;
  return isFromSqlite && [5, 6].includes(Number(error.errcode) & 0xff);
}
