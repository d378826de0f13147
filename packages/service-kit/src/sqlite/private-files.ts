import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
/** Permissions of group and others. */
const OTHERS_MODE = 0o077;
const STICKY = 0o1000;
/** New companions inherit the database's permissions. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/** In a data directory: files of a restore that has not completed. */
export const RESTORE_DIRECTORY = '.restoring';

/** Existing directories keep their permissions. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: DIRECTORY_MODE });
}

/**
 * Creates private files and directories; removes others' permissions from existing files of this user.
 *
 * @throws the file system's error
 */
export function preparePrivateFile(path: string): void {
  makePrivateDirectory(dirname(path));
  if (!existsSync(path)) {
    // Only for new files: closing one drops this process's locks on it.
    closeSync(openSync(path, 'a', FILE_MODE));
  } else if (statSync(path).isFile()) {
    for (const file of [path, ...COMPANIONS.map((suffix) => path + suffix)]) restrictToOwner(file);
  }
}

/**
 * Removes others' permissions from a path that `uid` owns, but not from sticky directories such as /tmp.
 *
 * @returns whether the path is private or missing
 */
export function restrictToOwner(path: string, uid: number | undefined = process.getuid?.()): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (uid === undefined || found === undefined || (found.mode & OTHERS_MODE) === 0) return true;
  if (found.uid !== uid || (found.mode & STICKY) !== 0) return false;
  try {
    chmodSync(path, found.mode & 0o7777 & ~OTHERS_MODE);
  } catch {
    return false;
  }
  // Some file systems ignore the change.
  return (statSync(path).mode & OTHERS_MODE) === 0;
}
