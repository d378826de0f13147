import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '@lobbystats/service-kit';

/** Milliseconds; a service's write waits 250 ms before it is refused. */
const HELD_MS = 150;
const PATIENCE_MS = 60_000;
const AGAIN_MS = 100;

/**
 * Opens files at one instant: each is locked for some milliseconds until all readers have begun, since messages move
 * between files. Fails after a minute of constant writes.
 *
 * @returns a reader of each file, in a transaction that sees that instant until it is closed
 * @throws OperatorError when the files are written to without a pause for a minute
 */
export async function pinnedSnapshots(paths: readonly string[]): Promise<DatabaseSync[]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const readers = tryToPin(paths);
    if (readers !== undefined) return readers;
    if (performance.now() > deadline) {
      throw new OperatorError(
        'the stores are written to all the time: no instant could be found at which none of them is',
      );
    }
    await pause(AGAIN_MS);
  }
}

function tryToPin(paths: readonly string[]): DatabaseSync[] | undefined {
  const readers = paths.map((path) => new DatabaseSync(path, { readOnly: true, timeout: HELD_MS }));
  const holders = paths.map((path) => new DatabaseSync(path, { timeout: HELD_MS }));
  const begunMs = performance.now();
  try {
    for (const holder of holders) {
      holder.exec('BEGIN IMMEDIATE');
      if (performance.now() - begunMs > HELD_MS) throw new HeldTooLongError();
    }
    for (const reader of readers) {
      reader.exec('BEGIN');
      // The first read begins the transaction's snapshot.
      reader.prepare('SELECT count(*) FROM sqlite_schema').get();
    }
    return readers;
  } catch (error) {
    for (const reader of readers) reader.close();
    if (error instanceof HeldTooLongError || isBusy(error)) return undefined;
    throw error;
  } finally {
    for (const holder of holders) holder.close();
  }
}

class HeldTooLongError extends Error {}

/** SQLITE_BUSY. */
function isBusy(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}
