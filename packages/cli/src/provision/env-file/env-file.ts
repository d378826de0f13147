// By path, since `npm run init` works before `npm ci`.
import { RENAMED_SETTINGS } from '../../../../service-kit/src/config/renamed-settings.ts';
import { secrets, type SecretName } from '../secrets.ts';

export interface CompletedEnvFile {
  text: string;
  added: (SecretName | typeof PROFILES)[];
}

const PROFILES = 'COMPOSE_PROFILES';
const PROFILES_LINES = [
  '# simulator: the simulated network, unless NETWORK_URL names a real one. observability: Prometheus and Grafana.',
  `${PROFILES}=simulator`,
];

const HEAD = [
  '# Secrets of this deployment: keep them private. Docker Compose reads this file; .env.example explains the other settings.',
  '',
];

/**
 * Adds missing secrets and profiles to an `.env` text; existing values stay, since servers keep their first passwords. Settings
 * that have been renamed keep their values under the new names.
 *
 * @param present the file's text, or undefined when there is none
 * @param random returns a secret that needs no quoting in a URL
 */
export function completeEnvFile(old: string | undefined, random: () => string): CompletedEnvFile {
  const present = old === undefined ? undefined : withNewNames(old);
  const known = new Set(
    (present ?? '').split('\n').flatMap((line) => /^\s*(?:export\s+)?([A-Z_0-9]+)\s*=\s*\S/.exec(line)?.[1] ?? []),
  );
  const missing = (Object.keys(secrets) as SecretName[]).filter((name) => !known.has(name));
  const lines = missing.flatMap((name) => [`# ${secrets[name]}`, `${name}=${random()}`]);
  // An empty value is a choice too.
  const choosesProfiles = new RegExp(`^\\s*(?:export\\s+)?${PROFILES}\\s*=`, 'm').test(present ?? '');
  if (!choosesProfiles) lines.push(...PROFILES_LINES);
  const added = [...missing, ...(choosesProfiles ? [] : ([PROFILES] as const))];
  const before = present === undefined ? HEAD.join('\n') : withLineEnd(present);
  return { text: added.length === 0 ? (present ?? '') : `${before}${lines.join('\n')}\n`, added };
}

function withNewNames(text: string): string {
  return text.replace(/^(\s*(?:export\s+)?)([A-Z_]+?)(?=(?:_FILE)?\s*=)/gm, (line, lead: string, name: string) => {
    const renamed = RENAMED_SETTINGS[name];
    return renamed === undefined ? line : lead + renamed;
  });
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
