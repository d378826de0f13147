import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '@lobbystats/service-kit';

/** Shorter than the 250 ms for which a write of a service waits. */
const LOCK_TIMEOUT_MS = 150;
const PIN_TIMEOUT_MS = 60_000;
const RETRY_INTERVAL_MS = 100;

/**
 * Opens files at one instant: each is locked for some milliseconds until all readers have begun, since messages move
 * between files. Fails after a minute of constant writes.
 *
 * @returns a reader of each file, in a transaction that sees that instant until it is closed
 * @throws OperatorError when the files are written without a pause for a minute
 */
export async function pinnedSnapshots(paths: readonly string[]): Promise<DatabaseSync[]> {
  const deadline = performance.now() + PIN_TIMEOUT_MS;
  for (;;) {
    const readers = tryPinSnapshots(paths);
    if (readers !== undefined) return readers;
    if (performance.now() > deadline) {
      throw new OperatorError('the stores are written constantly: no consistent instant was found within a minute');
    }
    await pause(RETRY_INTERVAL_MS);
  }
}

function tryPinSnapshots(paths: readonly string[]): DatabaseSync[] | undefined {
  const readers = paths.map((path) => new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT_MS }));
  const holders = paths.map((path) => new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS }));
  const begunMs = performance.now();
  try {
    for (const holder of holders) {
      holder.exec('BEGIN IMMEDIATE');
      if (performance.now() - begunMs > LOCK_TIMEOUT_MS) throw new LockTimeoutError();
    }
    for (const reader of readers) {
      reader.exec('BEGIN');
      // The first read begins the transaction's snapshot.
      reader.prepare('SELECT count(*) FROM sqlite_schema').get();
    }
    return readers;
  } catch (error) {
    for (const reader of readers) reader.close();
    if (error instanceof LockTimeoutError || isBusy(error)) return undefined;
    throw error;
  } finally {
    for (const holder of holders) holder.close();
  }
}

class LockTimeoutError extends Error {}

/** SQLITE_BUSY. */
function isBusy(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}
