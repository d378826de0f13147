import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { completeEnvFile } from './env-file.ts';

const HELP = `Writes the secrets of a deployment and the simulator profile to .env for docker compose: npm run init

  npm run init [-- FILE]   FILE: instead of .env

Each secret is random. Existing values are unchanged: only missing ones are added, and only names are printed.
`;

const [argument = '.env', ...others] = process.argv.slice(2);
if (argument === '--help' || argument === '-h') {
  process.stdout.write(HELP);
} else if (argument.startsWith('-') || others.length > 0) {
  process.stderr.write(`At most one file, not ${[argument, ...others].join(' ')}.\n\n${HELP}`);
  process.exitCode = 2;
} else {
  try {
    write(argument);
  } catch (error) {
    process.stderr.write(
      `init: ${argument} can't be written: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}

/** Atomic: a full disk must not lose existing secrets. */
function write(path: string): void {
  const present = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const { text, added } = completeEnvFile(present, () => randomBytes(24).toString('hex'));
  if (text === present) {
    process.stdout.write(`${path} is already complete.\n`);
    return;
  }
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  process.stdout.write(
    `${path}: ${added.length === 0 ? 'renamed settings' : `added ${added.join(', ')}`}.\nNext: docker compose up --build --wait\n`,
  );
}
