import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '@lobbystats/service-kit';
import { makePrivateDirectory } from '@lobbystats/sqlite-store';

const KEY_BYTES = 32;

/** Whether the environment has the key by which those are known again who were forgotten. */
export function hasForgottenKey(env: Env): boolean {
  return ['FORGOTTEN_KEY', 'FORGOTTEN_KEY_FILE'].some((name) => (env[name] ?? '') !== '');
}

/**
 * The setting of that key: as it is set, else a file beside the data, made at a first start for the owner's eyes alone. A start
 * that is cut off leaves no half of it.
 */
export function forgottenKey(env: Env, directory: string): Env {
  if (hasForgottenKey(env)) return {};
  const file = join(directory, 'forgotten.key');
  if (!existsSync(file)) {
    makePrivateDirectory(directory);
    const key = randomBytes(KEY_BYTES).toString('base64url');
    writeFileSync(`${file}.new`, key, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  return { FORGOTTEN_KEY_FILE: file };
}
