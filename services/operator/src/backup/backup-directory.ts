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
 * Removes what an interrupted backup left.
 *
 * @throws OperatorError when something else is there
 */
export function makeBackupDirectory(to: string): BackupDirectory {
  const place = resolve(to);
  const path = `${place}.unfinished`;
  if (existsSync(place) && readdirSync(place).length > 0) {
    throw new OperatorError(`${to} is not empty: a backup is made in a directory of its own`);
  }
  if (existsSync(path)) {
    if (!existsSync(join(path, MARKER)) && readdirSync(path).length > 0)
      throw new OperatorError(`${path} is in the way`);
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
      renameSync(path, place);
      const parent = openSync(dirname(place), 'r');
      fsyncSync(parent);
      closeSync(parent);
    },
  };
}
