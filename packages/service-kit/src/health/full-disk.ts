import { AppError } from '@lobbystats/contracts/errors';

/** A store without writes must not be unready for good once there is space again. */
const TOLD_MS = 60_000;

/** Whether the disk of a store is full, as its writes tell; reads go on then. */
export class FullDisk {
  /** When a write last failed, in epoch milliseconds, unless one has succeeded since. */
  #failedAtMs = -Infinity;

  /** Call it when a write has failed for a full disk. */
  failed(cause: unknown): AppError {
    this.#failedAtMs = Date.now();
    return fullDiskError(cause);
  }

  written(): void {
    this.#failedAtMs = -Infinity;
  }

  /** @throws AppError `unavailable` if a write has failed in the last minute */
  check(): void {
    if (Date.now() - this.#failedAtMs < TOLD_MS) throw fullDiskError();
  }
}

function fullDiskError(cause?: unknown): AppError {
  return new AppError('unavailable', 'The disk of the store is full', { cause });
}
