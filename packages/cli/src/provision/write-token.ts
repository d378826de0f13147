import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes atomically. `mode` is the file mode. */
export function writeToken(file: string, token: string, mode: number): void {
  mkdirSync(dirname(file), { recursive: true });
  // An interrupted run may have left it.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, token, { mode });
  renameSync(`${file}.new`, file);
}
