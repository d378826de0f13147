import { messageOf, StartupError } from '@lobbystats/errors';
import { isEnvironmentFault } from './environment-fault.ts';

/** The store belongs to another network or a newer release, or its file is unusable. */
export class StoreRefusedError extends StartupError {
  override readonly name = 'StoreRefusedError';
}

const NOT_A_DATABASE = 26;

/** Wraps errors of the file in a StoreRefusedError that names it; returns others unchanged. */
export function toStoreRefusedError(location: string, error: unknown): unknown {
  if (!isEnvironmentFault(error, [NOT_A_DATABASE]) && !isFileSystemFault(error)) return error;
  const file = location === ':memory:' ? 'The store in memory' : location;
  return new StoreRefusedError(`${file} can't be opened: ${messageOf(error)}`, { cause: error });
}

function isFileSystemFault(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}
