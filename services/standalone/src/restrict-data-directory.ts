import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@lobbystats/service-kit';
import { restrictToOwner } from '@lobbystats/sqlite-store';

/** The stores with what SQLite keeps beside them, and the key by which the forgotten are known. */
const OURS = /\.sqlite|^forgotten\.key/;

/**
 * Makes an existing data directory and the stores in it readable for their owner alone: they hold what people wrote, hidden
 * comments included. Warns of those that others can read and this user can't change.
 *
 * @param uid whose process it is
 */
export function restrictDataDirectory(directory: string, logger: Logger, uid = process.getuid?.()): void {
  const paths = [directory, ...storesIn(directory).map((name) => join(directory, name))];
  const open = paths.filter((path) => !restrictToOwner(path, uid));
  if (open.length > 0) logger.warn('others can read the data: change its owner or its rights', { paths: open });
}

/** None where the directory can't be read: opening the stores says why. */
function storesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => OURS.test(name));
  } catch {
    return [];
  }
}
