import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Atomic.
 *
 * @param mode who may read it
 */
export function writeToken(file: string, token: string, mode: number): void {
  mkdirSync(dirname(file), { recursive: true });
  // Left by an interrupted run.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, token, { mode });
  renameSync(`${file}.new`, file);
}
