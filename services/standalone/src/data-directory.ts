import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env, Logger } from '@lobbystats/service-kit';
import { makePrivateDirectory, restrictToOwner } from '@lobbystats/service-kit/sqlite';

const KEY_BYTES = 32;

/** The HMAC key that recognises erased users. */
export function hasErasureKey(env: Env): boolean {
  return ['ERASURE_KEY', 'ERASURE_KEY_FILE'].some((name) => (env[name] ?? '') !== '');
}

/** From the environment, else from a file that the first start creates atomically with mode 0600. */
export function erasureKey(env: Env, directory: string): Env {
  if (hasErasureKey(env)) return {};
  const file = join(directory, 'erasure.key');
  if (!existsSync(file)) {
    makePrivateDirectory(directory);
    const key = randomBytes(KEY_BYTES).toString('base64url');
    writeFileSync(`${file}.new`, key, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  return { ERASURE_KEY_FILE: file };
}

/** Databases, their side files, and the erasure key. */
const DATA_FILES = /\.sqlite|^erasure\.key/;

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
