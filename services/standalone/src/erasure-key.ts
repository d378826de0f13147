import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '@lobbystats/service-kit';
import { makePrivateDirectory } from '@lobbystats/sqlite-store';

const KEY_BYTES = 32;

/** The HMAC key that recognises erased users. */
export function hasErasureKey(env: Env): boolean {
  return ['ERASURE_KEY', 'ERASURE_KEY_FILE'].some((name) => (env[name] ?? '') !== '');
}

/** From the environment, else from a file that the first start creates atomically with mode 0600. */
export function erasureKey(env: Env, directory: string): Env {
  if (hasErasureKey(env)) return {};
  const file = join(directory, 'forgotten.key');
  if (!existsSync(file)) {
    makePrivateDirectory(directory);
    const key = randomBytes(KEY_BYTES).toString('base64url');
    writeFileSync(`${file}.new`, key, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  return { ERASURE_KEY_FILE: file };
}
