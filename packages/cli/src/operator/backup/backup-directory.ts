import {
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { OperatorError } from '@lobbystats/service-kit';
import { MANIFEST, type Manifest } from './manifest.ts';

export interface BackupDirectory {
  readonly path: string;
  finish(manifest: Manifest): void;
}

/** Marks a directory as an interrupted backup. */
const MARKER = '.unfinished-backup';

/**
 * Creates the directory, and removes an interrupted backup.
 *
 * @throws OperatorError when the directory contains other files
 */
export function makeBackupDirectory(to: string): BackupDirectory {
  const finalPath = resolve(to);
  const path = `${finalPath}.unfinished`;
  if (existsSync(finalPath) && readdirSync(finalPath).length > 0) {
    throw new OperatorError(`${to} is not empty: a backup needs an empty directory`);
  }
  if (existsSync(path)) {
    if (!existsSync(join(path, MARKER)) && readdirSync(path).length > 0)
      throw new OperatorError(`${path} exists and is not an interrupted backup`);
    rmSync(path, { recursive: true });
  }
  mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(join(path, MARKER), '');
  return {
    path,
    finish: (manifest) => {
      writeFileSync(join(path, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600, flush: true });
      rmSync(join(path, MARKER));
      // rename replaces an empty directory.
      renameSync(path, finalPath);
      const parent = openSync(dirname(finalPath), 'r');
      fsyncSync(parent);
      closeSync(parent);
    },
  };
}
