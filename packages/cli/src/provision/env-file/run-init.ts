import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { CliContext } from '../../cli-command.ts';
import { completeEnvFile } from './env-file.ts';

/** Completes an `.env` file. Returns the exit code: 0 done, 1 the file can't be written. */
export async function runInit({ terminal }: Pick<CliContext, 'terminal'>, path = '.env'): Promise<number> {
  try {
    terminal.out(write(path));
    return 0;
  } catch (error) {
    terminal.error(`init: ${path} can't be written: ${error instanceof Error ? error.message : String(error)}\n`);
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
