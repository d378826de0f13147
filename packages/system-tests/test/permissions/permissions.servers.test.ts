import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockServers, temporaryDirectory, testServers } from '@lobbystats/test-kit';
import { analystTokens } from '@lobbystats/cli/analyst-tokens';
import { readProvisionConfig } from '@lobbystats/cli/provision-config';
import { databaseOf, type DatabaseUser } from '@lobbystats/cli/store-permissions';
import type { Permission, ServerName } from '@lobbystats/cli/permission';
import { permissionTable } from '@lobbystats/cli/permission-table';
import { provision } from '@lobbystats/cli/provision';
import { secrets } from '@lobbystats/cli/secrets';
import { describeAttempt, type Attempts } from './attempts.ts';
import { busAttempts } from './bus-attempts.ts';
import { databaseAttempts } from './database-attempts.ts';
import { seriesAttempts, type SeriesAttempts } from './series-attempts.ts';

const { rabbitmq, influxdb, mongodb } = testServers();
const management = new URL(rabbitmq.managementUrl);
const mongo = new URL(mongodb.url);
const directory = temporaryDirectory('file');
const analyst = `analyst-${randomUUID()}`;
const tokens = analystTokens({ ...influxdb, adminToken: influxdb.token });

/** Settings of the init job: new passwords. */
const env: Record<string, string> = {
  ...Object.fromEntries(Object.keys(secrets).map((name) => [name, randomBytes(12).toString('hex')])),
  RABBITMQ_MANAGEMENT_URL: management.origin,
  RABBITMQ_ADMIN_PASSWORD: management.password,
  INFLUXDB_URL: influxdb.url,
  INFLUXDB_ADMIN_TOKEN: influxdb.token,
  INFLUXDB_ORG: influxdb.org,
  INFLUX_TOKEN_DIRECTORY: directory,
  MONGODB_URL: `mongodb://${mongo.host}/?directConnection=true`,
  MONGODB_ADMIN_PASSWORD: mongo.password,
};
const passwordOf = (server: string) => (user: string) =>
  String(env[`${server}_${user.toUpperCase().replace('-', '_')}_PASSWORD`]);

const runInitJob = () => provision(readProvisionConfig(env), () => undefined);
const permissionsOf = (server: ServerName): Permission[] => permissionTable.filter((cell) => cell.server === server);
const expectedResults = (cells: readonly Permission[]): string[] =>
  cells.map((cell) => describeAttempt(cell, cell.isAllowed));

/** Sequential, because an attempt may depend on an earlier one. */
async function runAttempts(attempts: Attempts, cells: readonly Permission[]): Promise<string[]> {
  const lines: string[] = [];
  for (const cell of cells) lines.push(describeAttempt(cell, await attempts.isAllowed(cell)));
  return lines;
}

/** Runs the attempts of different principals in parallel. */
async function runByPrincipal(attempts: Attempts, cells: readonly Permission[]): Promise<string[]> {
  const principals = Map.groupBy(cells, ({ principal }) => principal).values();
  return (await Promise.all(Array.from(principals, (group) => runAttempts(attempts, group)))).flat().sort();
}

const ALL_CELLS_MS = 240_000;

beforeAll(lockServers, 600_000);
beforeAll(runInitJob);

describe('RabbitMQ users', () => {
  const vhost = 'lobbystats';
  const attempts = busAttempts({
    host: new URL(rabbitmq.url).host,
    managementUrl: management.origin,
    vhost,
    passwordOf: passwordOf('RABBITMQ'),
  });
  afterAll(async () => {
    await attempts.close();
    const authorization = `Basic ${btoa(`${management.username}:${management.password}`)}`;
    await fetch(`${management.origin}/api/vhosts/${vhost}`, { method: 'DELETE', headers: { authorization } });
  });

  it(
    'can do what the permission table allows, and nothing that it denies',
    async () => {
      const cells = permissionsOf('RabbitMQ');
      expect(await runByPrincipal(attempts, cells)).toEqual(expectedResults(cells).sort());
    },
    ALL_CELLS_MS,
  );
});

describe('MongoDB users', () => {
  const attempts = databaseAttempts({
    host: mongo.host,
    databaseOf: (user) => databaseOf[user as DatabaseUser],
    passwordOf: passwordOf('MONGODB'),
  });
  afterAll(() => attempts.close());

  it(
    'can do what the permission table allows, and nothing that it denies',
    async () => {
      const cells = permissionsOf('MongoDB');
      expect(await runByPrincipal(attempts, cells)).toEqual(expectedResults(cells).sort());
    },
    ALL_CELLS_MS,
  );
});

describe('InfluxDB tokens', () => {
  const drops = ({ action, isAllowed }: Permission): boolean => action === 'drop the bucket' && isAllowed;
  let attempts: SeriesAttempts;
  let analystToken: string;
  const tokenOf = (principal: string): string =>
    principal === 'analyst'
      ? analystToken
      : readFileSync(join(directory, principal === 'grafana' ? 'grafana/influxdb' : principal), 'utf8');
  const { url, token: adminToken, org } = influxdb;

  beforeAll(async () => {
    analystToken = await tokens.create(analyst);
    attempts = await seriesAttempts({ url, adminToken, org, tokenOf });
  });
  afterAll(async () => {
    await tokens.revoke(analyst);
    await attempts.close();
    // Recreates the dropped bucket with its retention.
    await runInitJob();
  });

  it('can do what the permission table allows, and nothing that it denies', async () => {
    const cells = permissionsOf('InfluxDB');
    const inOrder = [...cells.filter((cell) => !drops(cell)), ...cells.filter(drops)];
    expect(await runAttempts(attempts, inOrder)).toEqual(expectedResults(inOrder));
  });

  it('are denied actions that succeed for an administrator', async () => {
    const denied = permissionsOf('InfluxDB').filter(
      ({ isAllowed, action }) => !isAllowed && action !== 'drop the bucket',
    );
    await runInitJob();
    const refused = [];
    for (const cell of denied)
      if (!(await attempts.isAllowedToAdministrator(cell))) refused.push(describeAttempt(cell, false));
    expect(refused).toEqual([]);
  });
});
