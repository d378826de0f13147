import { StartupError } from '@lobbystats/contracts/errors';
import { describeFileError } from '../file-errors.ts';

const ENVIRONMENT_FAULTS: readonly number[] = [5, 6, 7, 8, 10, 11, 13, 14];

export function isEnvironmentFault(error: unknown, others: readonly number[] = []): boolean {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return false;
  const code = Number(error.errcode) & 0xff;
  return ENVIRONMENT_FAULTS.includes(code) || others.includes(code);
}

/** SQLite's result code SQLITE_FULL. */
export function isDiskFull(error: unknown): boolean {
  return (Number((error as { errcode?: unknown }).errcode) & 0xff) === 13;
}

/** The store belongs to another network or a newer release, or its file is unusable. */
export class StoreRefusedError extends StartupError {
  override readonly name = 'StoreRefusedError';
}

const NOT_A_DATABASE = 26;

/** Wraps errors of the file in a StoreRefusedError that names it; returns others unchanged. */
export function toStoreRefusedError(location: string, error: unknown): unknown {
  if (!isEnvironmentFault(error, [NOT_A_DATABASE]) && !isFileSystemFault(error)) return error;
  const file = location === ':memory:' ? 'The store in memory' : location;
  return new StoreRefusedError(`${file} can't be opened: ${describeFileError(error)}`, { cause: error });
}

function isFileSystemFault(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}
