import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { CliContext } from '../../cli-command.ts';

/** Secrets of a deployment, and what each is for. */
export const secrets = {
  RABBITMQ_ADMIN_PASSWORD: 'RabbitMQ: the init job and operators',
  RABBITMQ_COLLECTOR_PASSWORD: 'RabbitMQ: collectors',
  RABBITMQ_SERIES_API_PASSWORD: 'RabbitMQ: series-api',
  RABBITMQ_CATALOG_API_PASSWORD: 'RabbitMQ: catalog-api',
  RABBITMQ_USER_API_PASSWORD: 'RabbitMQ: user-api',
  RABBITMQ_REPUTATION_API_PASSWORD: 'RabbitMQ: reputation-api',
  RABBITMQ_GATEWAY_PASSWORD: 'RabbitMQ: gateways',
  RABBITMQ_DLQ_PASSWORD: 'RabbitMQ: npx lobbystats dlq',
  INFLUXDB_ADMIN_PASSWORD: 'InfluxDB: operators, web interface',
  INFLUXDB_ADMIN_TOKEN: 'InfluxDB: the init job, which creates the tokens of services',
  MONGODB_ADMIN_PASSWORD: 'MongoDB: the init job and operators',
  MONGODB_COLLECTOR_PASSWORD: 'MongoDB: collectors',
  MONGODB_CATALOG_API_PASSWORD: 'MongoDB: catalog-api',
  MONGODB_USER_API_PASSWORD: 'MongoDB: user-api',
  MONGODB_REPUTATION_API_PASSWORD: 'MongoDB: reputation-api',
  GRAFANA_ADMIN_PASSWORD: 'Grafana: its administrator, admin',
  ERASURE_KEY: 'user-api: key of the hashes of erased users; with another key they are re-imported',
} as const;

type SecretName = keyof typeof secrets;

interface CompletedEnvFile {
  text: string;
  added: SecretName[];
}

const HEAD = [
  '# Secrets of this deployment: keep them private. Docker Compose reads this file; .env.example explains the other settings.',
  '',
];

/**
 * Adds missing secrets to an `.env` text; existing values stay, since servers keep their first passwords.
 *
 * @param present the file's text, or undefined when there is none
 * @param valueOf returns a secret that needs no quoting in a URL
 */
function completeEnvFile(present: string | undefined, valueOf: (name: SecretName) => string): CompletedEnvFile {
  const known = new Set(
    (present ?? '').split('\n').flatMap((line) => /^\s*(?:export\s+)?([A-Z_0-9]+)\s*=\s*\S/.exec(line)?.[1] ?? []),
  );
  const added = (Object.keys(secrets) as SecretName[]).filter((name) => !known.has(name));
  const lines = added.flatMap((name) => [`# ${secrets[name]}`, `${name}=${valueOf(name)}`]);
  const before = present === undefined ? HEAD.join('\n') : withLineEnd(present);
  return { text: added.length === 0 ? (present ?? '') : `${before}${lines.join('\n')}\n`, added };
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/**
 * Completes an `.env` file: that of the stack in this directory with the stack's own secrets, another file with random ones. Returns the
 * exit code: 0 done, 1 the stack's secrets can't be read, or the file can't be written.
 */
export async function runInit({ terminal }: Pick<CliContext, 'terminal'>, file?: string): Promise<number> {
  const path = file ?? '.env';
  try {
    const stored = file === undefined ? storedSecrets() : undefined;
    terminal.out(write(path, (name) => stored?.get(name) ?? randomBytes(24).toString('hex')));
    return 0;
  } catch (error) {
    terminal.error(`init: ${path} can't be written: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/** Without Docker there is no stack. The job makes secrets that the stack does not have yet. */
function storedSecrets(): Map<string, string> {
  const args = ['compose', '-f', 'docker-compose.yml', 'run', '--rm', '-T', 'secrets', 'print'];
  const { error, status, stdout, stderr } = spawnSync('docker', args, { encoding: 'utf8' });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') return new Map();
  if (status !== 0) {
    throw new Error(`docker ${args.join(' ')} failed; npm run init -- FILE asks no stack\n${stderr || String(error)}`);
  }
  return new Map([...stdout.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name = '', value = '']) => [name, value]));
}

/** Atomic: a full disk must not lose existing secrets. Returns what was done. */
function write(path: string, valueOf: (name: SecretName) => string): string {
  const present = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const { text, added } = completeEnvFile(present, valueOf);
  if (text === present) return `${path} is already complete.\n`;
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return `${path}: added ${added.join(', ')}.\nNext: docker compose up -d --wait\n`;
}
