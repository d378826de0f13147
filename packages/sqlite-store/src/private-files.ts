import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
/** The rights of the group and of everybody else. */
const OTHERS = 0o077;
const STICKY = 0o1000;
/** What SQLite keeps beside a database; new ones get the rights of the database from it. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/** Makes a directory, and those above it, for its owner alone. One that is there stays as it is. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: DIRECTORY_MODE });
}

/**
 * Prepares a SQLite file that is about to be opened: a new one, with its directory, is for its owner alone; one that is there,
 * with its write-ahead log, loses the rights of others where it belongs to this user.
 *
 * @throws what the file system throws when the file can't be made
 */
export function preparePrivateFile(path: string): void {
  makePrivateDirectory(dirname(path));
  if (!existsSync(path)) {
    // Only where there is no file: closing one would drop the locks that this process has on it through SQLite.
    closeSync(openSync(path, 'a', FILE_MODE));
  } else if (statSync(path).isFile()) {
    for (const file of [path, ...COMPANIONS.map((suffix) => path + suffix)]) restrictToOwner(file);
  }
}

/**
 * Takes the rights of others to a file or directory away, where it belongs to this user. A directory with the sticky bit, such
 * as /tmp, is shared by design and stays as it is. Where there are no such rights, as on Windows, nothing is done.
 *
 * @param uid whose process it is
 * @returns whether others have no rights to it now, or it isn't there
 */
export function restrictToOwner(path: string, uid: number | undefined = process.getuid?.()): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (uid === undefined || found === undefined || (found.mode & OTHERS) === 0) return true;
  if (found.uid !== uid || (found.mode & STICKY) !== 0) return false;
  try {
    chmodSync(path, found.mode & 0o7777 & ~OTHERS);
  } catch {
    return false;
  }
  // Some file systems take the change without making it.
  return (statSync(path).mode & OTHERS) === 0;
}
