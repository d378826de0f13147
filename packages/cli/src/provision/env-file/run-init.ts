import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Terminal } from '@lobbystats/service-kit';
import { completeEnvFile } from './env-file.ts';

const HELP = `Writes the secrets of a deployment and the simulator profile to .env for docker compose: npm run init

  npm run init [-- FILE]   FILE: instead of .env

Each secret is random. Existing values are unchanged: only missing ones are added, and only names are printed.
`;

/**
 * `npx lobbystats init` and `npm run init`.
 *
 * @returns the exit code: 0 done, 1 the file can't be written, 2 wrong usage
 */
export async function runInit(args: readonly string[], terminal: Terminal): Promise<number> {
  const [argument = '.env', ...others] = args;
  if (argument === '--help' || argument === '-h') {
    terminal.out(HELP);
    return 0;
  }
  if (argument.startsWith('-') || others.length > 0) {
    terminal.error(`At most one file, not ${[argument, ...others].join(' ')}.\n\n${HELP}`);
    return 2;
  }
  try {
    terminal.out(write(argument));
    return 0;
  } catch (error) {
    terminal.error(`init: ${argument} can't be written: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/** Atomic: a full disk must not lose existing secrets. Returns what was done. */
function write(path: string): string {
  const present = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const { text, added } = completeEnvFile(present, () => randomBytes(24).toString('hex'));
  if (text === present) return `${path} is already complete.\n`;
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  const change = added.length === 0 ? 'renamed settings' : `added ${added.join(', ')}`;
  return `${path}: ${change}.\nNext: docker compose up --build --wait\n`;
}
