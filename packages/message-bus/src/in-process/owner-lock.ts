import { DatabaseSync } from 'node:sqlite';
import { RefusalError } from '@lobbystats/errors';
import { preparePrivateFile, refusalOf } from '@lobbystats/sqlite-store';

export class JournalInUseError extends RefusalError {
  override readonly name = 'JournalInUseError';
}

/**
 * An exclusive lock by SQLite's reserved lock on a file beside the journal, released by the kernel when the process
 * ends. Readers pass it to see the owner.
 *
 * @throws JournalInUseError when it is held already
 * @throws StoreRefusedError when the lock's file can't be used
 */
export function holdJournal(journalPath: string): { release(): void } {
  const lock = openLock(`${journalPath}.lock`);
  try {
    lock.exec('CREATE TABLE IF NOT EXISTS owner (pid INTEGER NOT NULL) STRICT');
    lock.exec('BEGIN IMMEDIATE; DELETE FROM owner');
    lock.prepare('INSERT INTO owner (pid) VALUES (?)').run(process.pid);
    lock.exec('COMMIT; BEGIN IMMEDIATE');
  } catch (error) {
    const owner = isBusy(error) ? ownerOf(lock) : undefined;
    lock.close();
    if (owner === undefined) throw refusalOf(`${journalPath}.lock`, error);
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
    throw refusalOf(path, error);
  }
}

function ownerOf(lock: DatabaseSync): string {
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
