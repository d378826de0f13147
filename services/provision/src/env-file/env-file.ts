import { secrets, type SecretName } from '../secrets.ts';

/** What an `.env` file lacks, and its text with it. */
export interface CompletedEnvFile {
  text: string;
  added: SecretName[];
}

const HEAD = [
  '# Secrets of this deployment: keep them to yourself. Docker Compose reads this file; .env.example explains the other settings.',
  '',
];

/**
 * Adds the secrets that an `.env` file doesn't have yet. What it has stays as it is, because servers keep the passwords
 * they were first started with.
 *
 * @param present the file's text, or undefined when there is none
 * @param random makes a secret that needs no quoting in a URL
 */
export function completeEnvFile(present: string | undefined, random: () => string): CompletedEnvFile {
  const known = new Set(
    (present ?? '').split('\n').flatMap((line) => /^\s*(?:export\s+)?([A-Z_0-9]+)\s*=\s*\S/.exec(line)?.[1] ?? []),
  );
  const added = (Object.keys(secrets) as SecretName[]).filter((name) => !known.has(name));
  const lines = added.flatMap((name) => [`# ${secrets[name]}`, `${name}=${random()}`]);
  const before = present === undefined ? HEAD.join('\n') : withLineEnd(present);
  return { text: added.length === 0 ? (present ?? '') : `${before}${lines.join('\n')}\n`, added };
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
