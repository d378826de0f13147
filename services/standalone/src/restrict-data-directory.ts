import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@lobbystats/service-kit';
import { restrictToOwner } from '@lobbystats/sqlite-store';

/** Databases, their side files, and the key. */
const OURS = /\.sqlite|^forgotten\.key/;

/**
 * Restricts existing data to its owner. Warns of files that this user can't change.
 *
 * @param uid whose process it is
 */
export function restrictDataDirectory(directory: string, logger: Logger, uid = process.getuid?.()): void {
  const paths = [directory, ...storesIn(directory).map((name) => join(directory, name))];
  const open = paths.filter((path) => !restrictToOwner(path, uid));
  if (open.length > 0) logger.warn('others can read the data: change its owner or its rights', { paths: open });
}

function storesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => OURS.test(name));
  } catch {
    return [];
  }
}
