import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@lobbystats/service-kit';
import { restrictToOwner } from '@lobbystats/sqlite-store';

/** Databases, their side files, and the erasure key. */
const DATA_FILES = /\.sqlite|^forgotten\.key/;

/**
 * Restricts existing data to its owner. Warns of files that this user can't change.
 *
 * @param uid of this process
 */
export function restrictDataDirectory(directory: string, logger: Logger, uid = process.getuid?.()): void {
  const paths = [directory, ...dataFilesIn(directory).map((name) => join(directory, name))];
  const open = paths.filter((path) => !restrictToOwner(path, uid));
  if (open.length > 0)
    logger.warn('data files are readable by other users: change their owner or mode', { paths: open });
}

function dataFilesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => DATA_FILES.test(name));
  } catch {
    return [];
  }
}
