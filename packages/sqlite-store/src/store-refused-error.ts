import { messageOf, RefusalError } from '@lobbystats/errors';
import { isEnvironmentFault } from './environment-fault.ts';

/**
 * A store that can't be opened as it is: another network filled it, newer code did, or the file can't be used. Says which
 * and why, for the operator.
 */
export class StoreRefusedError extends RefusalError {
  override readonly name = 'StoreRefusedError';
}

/** SQLite's code for a file that is something else. */
const NOT_A_DATABASE = 26;

/** What opening a file has thrown; where the file or its directory is at fault, as a refusal that names it. */
export function refusalOf(location: string, error: unknown): unknown {
  if (!isEnvironmentFault(error, [NOT_A_DATABASE]) && !isFileSystemFault(error)) return error;
  const file = location === ':memory:' ? 'The store in memory' : location;
  return new StoreRefusedError(`${file} can't be opened: ${messageOf(error)}`, { cause: error });
}

function isFileSystemFault(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}
