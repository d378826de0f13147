import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a token into a file that is there whole or not at all.
 *
 * @param mode who may read it
 */
export function writeToken(file: string, token: string, mode: number): void {
  mkdirSync(dirname(file), { recursive: true });
  // What an earlier run left half-written can't be written into.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, token, { mode });
  renameSync(`${file}.new`, file);
}
