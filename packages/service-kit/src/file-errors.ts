import { statSync } from 'node:fs';
import { messageOf } from '@lobbystats/contracts/errors';

const OWNER = `give its directory to user ${process.getuid?.() ?? 'this'} (chown, on the host where it is mounted), or name another`;
const SPACE = 'free space on its disk, or name another';

/** By the code of the file system. */
const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: OWNER,
  EPERM: OWNER,
  EROFS: 'mount it writable, or name another',
  ENOENT: 'create it, or name another',
  ENOTDIR: 'a part of its path is a file: name another',
  EISDIR: 'it is a directory: name a file',
  EEXIST: 'it is a file: name another',
  ENOSPC: SPACE,
  EDQUOT: SPACE,
};

/** By SQLite's result code: no permission, a full disk, a file that can't be opened. */
const SQLITE_REMEDIES: Readonly<Record<number, string>> = { 8: OWNER, 13: SPACE, 14: OWNER };

/** The message of an error of the file system or of SQLite, with what to do; the message alone of other errors. */
export function describeFileError(error: unknown): string {
  const { code = '', errcode = 0 } = Object(error) as { code?: string; errcode?: number };
  const remedy = REMEDIES[code] ?? SQLITE_REMEDIES[errcode & 0xff];
  return remedy === undefined ? messageOf(error) : `${messageOf(error)}: ${remedy}`;
}

/** Returns whether a path exists. @throws the file system's error, such as EACCES for a directory that the user may not search */
export function fileExists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
