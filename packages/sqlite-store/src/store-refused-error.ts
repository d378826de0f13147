import { messageOf, RefusalError } from '@lobbystats/errors';
import { isEnvironmentFault } from './environment-fault.ts';

/** Another network's or a newer release's store, or an unusable file. */
export class StoreRefusedError extends RefusalError {
  override readonly name = 'StoreRefusedError';
}

const NOT_A_DATABASE = 26;

/** Names the file in a StoreRefusedError, if it is at fault. */
export function refusalOf(location: string, error: unknown): unknown {
  if (!isEnvironmentFault(error, [NOT_A_DATABASE]) && !isFileSystemFault(error)) return error;
  const file = location === ':memory:' ? 'The store in memory' : location;
  return new StoreRefusedError(`${file} can't be opened: ${messageOf(error)}`, { cause: error });
}

function isFileSystemFault(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}
