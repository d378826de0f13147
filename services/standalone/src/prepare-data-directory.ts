import { existsSync, mkdtempSync, rmdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '@lobbystats/service-kit';
import { makePrivateDirectory, RESTORE_DIRECTORY } from '@lobbystats/service-kit/sqlite';

const MEGABYTE = 1_000_000;
/** Databases fail one by one below it, each with another error. */
const MIN_FREE_BYTES = 32 * MEGABYTE;

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is not a directory',
  ENOENT: 'it can not be created',
  EEXIST: 'it is a file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
};

/**
 * Creates the directory with mode 0700, and tests that it can be written and has no unfinished restore.
 *
 * @throws StartError
 */
export function prepareDataDirectory(directory: string, minFreeBytes = MIN_FREE_BYTES): void {
  try {
    makePrivateDirectory(directory);
    rmdirSync(mkdtempSync(join(directory, '.write-test-')));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const reason = REASONS[code] ?? message;
    throw new StartError(`the data directory ${directory} can't be written: ${reason}: set DATA_DIR to another`, {
      cause: error,
    });
  }
  if (existsSync(join(directory, RESTORE_DIRECTORY))) {
    throw new StartError(
      `a restore into ${directory} was interrupted: run the same npx lobbystats restore again, or set DATA_DIR to another directory`,
    );
  }
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize >= minFreeBytes) return;
  const [free, needed] = [bavail * bsize, minFreeBytes].map((bytes) => Math.floor(bytes / MEGABYTE));
  throw new StartError(
    `the data directory ${directory} has ${free} MB of free space, and a start needs ${needed} MB: ` +
      'free some, or set DATA_DIR to another',
  );
}
