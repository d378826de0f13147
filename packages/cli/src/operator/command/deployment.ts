import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import {
  describeFileError,
  fileExists,
  OperatorError,
  isSet,
  sourceOf,
  readConfig,
  setting,
  urlOf,
  type Env,
} from '@lobbystats/service-kit';
import { z } from 'zod';

export type Standalone = ReturnType<typeof readStandalone>;
export type Servers = ReturnType<typeof readServers>;
export type Deployment = Standalone | Servers;

export const VHOST = 'lobbystats';
const ADMIN_SECRETS = ['RABBITMQ_ADMIN_PASSWORD', 'INFLUXDB_ADMIN_TOKEN', 'MONGODB_ADMIN_PASSWORD'];

/**
 * Distributed where the environment has administrators' secrets, or names RabbitMQ's management as the stack's tools do.
 *
 * @throws ConfigError that lists every fault of the environment
 */
export function readDeployment(env: Env, settings?: string): Deployment {
  const names = [...ADMIN_SECRETS, 'RABBITMQ_MANAGEMENT_URL'];
  return names.some((name) => isSet(name, env)) ? readServers(env, settings) : readStandalone(env);
}

/**
 * Reads DATA_DIR. `npm start` stores its own key there: the default of ERASURE_KEY in `env`.
 *
 * @throws ConfigError when DATA_DIR is invalid
 */
export function readDataDirectory(env: Env): { directory: string; env: Env } {
  const { DATA_DIR: directory } = readConfig(z.object({ DATA_DIR: setting.text('./data') }), env);
  const keyFile = join(directory, 'erasure.key');
  return { directory, env: fileExists(keyFile) ? { ERASURE_KEY_FILE: keyFile, ...env } : env };
}

/**
 * `url` is that of the web site.
 *
 * @throws ConfigError that lists every fault of the environment
 */
export function readStandalone(env: Env) {
  const data = readDataDirectory(env);
  const settings = readConfig(
    z.object({
      HOST: setting.text('127.0.0.1'),
      PORT: port(8080),
      NETWORK_URL: setting.text().optional(),
      ERASURE_KEY: setting.secret().optional(),
    }),
    data.env,
  );
  const { HOST, PORT, NETWORK_URL: networkUrl, ERASURE_KEY: erasureKey } = settings;
  return { form: 'standalone' as const, directory: data.directory, erasureKey, url: urlOf(HOST, PORT), networkUrl };
}

/**
 * @param settings the file from which `withSettings` completed the environment
 * @throws ConfigError that lists every fault of the environment
 */
export function readServers(env: Env, settings = 'the environment') {
  const at = readConfig(
    z.object({
      RABBITMQ_MANAGEMENT_PORT: port(15672),
      INFLUXDB_PORT: port(8086),
      MONGODB_PORT: port(27017),
      LISTEN_PORT: port(8080),
    }),
    env,
  );
  const http = (default_: string) => setting.url({ protocols: ['http', 'https'], default: default_ });
  const found = readConfig(
    z.object({
      RABBITMQ_MANAGEMENT_URL: http(`http://127.0.0.1:${at.RABBITMQ_MANAGEMENT_PORT}`),
      RABBITMQ_ADMIN_PASSWORD: setting.secret(),
      INFLUXDB_URL: http(`http://127.0.0.1:${at.INFLUXDB_PORT}`),
      INFLUXDB_ORG: setting.text('lobbystats'),
      INFLUXDB_ADMIN_TOKEN: setting.secret(),
      MONGODB_URL: setting.mongodb({ default: `mongodb://127.0.0.1:${at.MONGODB_PORT}` }),
      MONGODB_ADMIN_PASSWORD: setting.secret(),
      ERASURE_KEY: setting.secret().optional(),
      GATEWAY_URL: http(`http://127.0.0.1:${at.LISTEN_PORT}`),
      NETWORK_URL: setting.text().optional(),
    }),
    env,
  );
  const { url: managementUrl, user } = administratorOf(found.RABBITMQ_MANAGEMENT_URL);
  return {
    form: 'servers' as const,
    rabbitmq: { managementUrl, user, password: found.RABBITMQ_ADMIN_PASSWORD, vhost: VHOST },
    influxdb: { url: found.INFLUXDB_URL, token: found.INFLUXDB_ADMIN_TOKEN, org: found.INFLUXDB_ORG },
    mongodb: { ...administratorOf(found.MONGODB_URL), password: found.MONGODB_ADMIN_PASSWORD },
    erasureKey: found.ERASURE_KEY,
    /** Where a secret comes from, for messages. */
    sourceOf: (name: string) => sourceOf(name, env) ?? settings,
    url: found.GATEWAY_URL,
    networkUrl: found.NETWORK_URL,
  };
}

/** The administrator that the URL of a server names, and the URL without it. URLs of MongoDB may name several hosts: `URL` refuses those. */
export function administratorOf(serverUrl: string): { url: string; user: string } {
  const [, scheme = '', user = 'admin', rest = ''] = /^(\w+:\/\/)(?:([^@:/]+)@)?(.*)$/.exec(serverUrl) ?? [];
  return { url: scheme + rest, user: decodeURIComponent(user) };
}

/**
 * Completes the environment from an `.env` file of the distributed form.
 *
 * @throws OperatorError when the file can't be read or has no administrators' secrets
 */
export function withSettings(env: Env, path: string | undefined): Env {
  if (path === undefined) return env;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`${path} can't be read: ${describeFileError(error)}`, { cause: error });
  }
  const completed = { ...parseEnv(text), ...env };
  if (ADMIN_SECRETS.some((name) => isSet(name, completed))) return completed;
  const todo = 'docker compose run --rm operator COMMAND has those of the stack, and npm run init writes them to .env';
  throw new OperatorError(`${path} has no administrators' secrets (${ADMIN_SECRETS[0]}): ${todo}`);
}

function port(fallback: number) {
  return setting.integer({ min: 0, max: 65_535, default: fallback });
}
