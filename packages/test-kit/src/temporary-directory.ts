import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUp, type Scope } from './clean-up.ts';

export function temporaryDirectory(scope: Scope = 'test'): string {
  const directory = mkdtempSync(join(tmpdir(), 'lobbystats-test-'));
  cleanUp(() => {
    rmSync(directory, { recursive: true, force: true });
  }, scope);
  return directory;
}
