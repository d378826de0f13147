import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '@lobbystats/contracts/errors';
import { influxManagement } from '@lobbystats/series-api/admin';
import { OperatorError, Secret, runCommand, SECRETS } from '@lobbystats/service-kit';
import { ManagementApi } from '@lobbystats/service-kit/bus';
import { MongoServerError } from 'mongodb';
import { type Servers, readServers } from '../../operator/command/deployment.ts';
import { connectMongo } from '../../operator/servers/servers.ts';
import { writeToken } from '../token-files.ts';
import type { CliContext } from '../../cli-command.ts';

/** MongoDB's code. */
const AUTHENTICATION_FAILED = 18;

/** How a server learns a new value from one who has the former, and whether it accepts a value. */
interface Rotation {
  /** The value, where the server chooses it. */
  create?(servers: Servers): Promise<string>;
  replace(servers: Servers, value: string): Promise<void>;
  accepts(servers: Servers, value: string): Promise<boolean>;
  revokeFormer?(servers: Servers, value: string): Promise<void>;
}

const rotations: Readonly<Record<string, Rotation>> = {
  RABBITMQ_ADMIN_PASSWORD: {
    replace: ({ rabbitmq }, value) =>
      managementApi(rabbitmq).put({ password: value, tags: 'administrator' }, 'users', rabbitmq.user),
    accepts: ({ rabbitmq }, value) =>
      isAccepted(managementApi({ ...rabbitmq, password: new Secret(value) }).get('whoami')),
  },
  MONGODB_ADMIN_PASSWORD: {
    replace: async ({ mongodb }, value) => {
      const client = await connectMongo(mongodb);
      await client
        .db('admin')
        .command({ updateUser: mongodb.user, pwd: value })
        .finally(() => client.close());
    },
    accepts: ({ mongodb }, value) =>
      isAccepted(connectMongo({ ...mongodb, password: new Secret(value) }).then((client) => client.close())),
  },
  INFLUXDB_ADMIN_PASSWORD: {
    replace: (servers, value) => influxManagement.setOwnPassword(influxClient(servers), value),
    accepts: ({ influxdb }, value) => isAccepted(influxManagement.signIn(influxdb.url, 'admin', value)),
  },
  INFLUXDB_ADMIN_TOKEN: {
    create: (servers) => influxManagement.copyToken(influxClient(servers), servers.influxdb.token.reveal()),
    replace: () => Promise.resolve(),
    accepts: ({ influxdb }, value) => isAccepted(influxManagement.ownUser(influxClient({ influxdb }, value))),
    revokeFormer: (servers, value) =>
      influxManagement.revokeToken(influxClient(servers, value), servers.influxdb.token.reveal()),
  },
};

const rotated: readonly string[] = Object.keys(rotations);

/**
 * Replaces an administrator's stored secret. The new value is kept as `NAME.next` beside the former one until the server has accepted it,
 * so an interrupted rotation is completed by repeating it.
 *
 * @param directory the secrets, each in a file of its name
 * @throws OperatorError when the secret is not stored there or can't be replaced; errors of the server
 */
export async function rotate(servers: Servers, name: string, directory: string): Promise<void> {
  const rotation = rotations[name];
  if (rotation === undefined) throw new OperatorError(`${name} is none of ${rotated.join(', ')}`);
  const file = join(directory, name);
  if (!existsSync(file))
    throw new OperatorError(`${file} does not exist: only the stack's stored secrets are replaced`);
  const value = existsSync(`${file}.next`) ? readFileSync(`${file}.next`, 'utf8') : await newValue(rotation, servers);
  writeToken(`${file}.next`, value, 0o400);
  if (!(await rotation.accepts(servers, value))) await rotation.replace(servers, value);
  if (!(await rotation.accepts(servers, value))) throw new OperatorError(`the server does not accept the new ${name}`);
  // Before the new one takes its place: without the former value a repetition could not revoke it.
  await rotation.revokeFormer?.(servers, value);
  renameSync(`${file}.next`, file);
}

async function newValue(rotation: Rotation, servers: Servers): Promise<string> {
  return rotation.create === undefined ? randomBytes(24).toString('hex') : rotation.create(servers);
}

function managementApi({ managementUrl, user, password }: Servers['rabbitmq']): ManagementApi {
  return new ManagementApi({ url: managementUrl, user, password: password.reveal() });
}

/** False if the server refuses the login. */
async function isAccepted(login: Promise<unknown>): Promise<boolean> {
  try {
    await login;
    return true;
  } catch (error) {
    if (error instanceof StartupError || (error instanceof MongoServerError && error.code === AUTHENTICATION_FAILED))
      return false;
    throw error;
  }
}

function influxClient({ influxdb }: Pick<Servers, 'influxdb'>, token = influxdb.token.reveal()) {
  return influxManagement.adminClient({ url: influxdb.url, token, tokenName: 'admin token' });
}

export async function runRotate({ env, terminal }: CliContext, name: string): Promise<number> {
  return runCommand('rotate', terminal, async () => {
    await rotate(readServers(env), name, SECRETS);
    terminal.out(`${name} is replaced in its server and in the volume. Next, without ${name} in .env:\n`);
    terminal.out('docker compose up -d --wait\n');
    return 0;
  });
}
