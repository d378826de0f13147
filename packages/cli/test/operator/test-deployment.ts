import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { provisionRabbitMq } from '@lobbystats/service-kit/bus';
import { provisionMongo } from '@lobbystats/service-kit/mongo';
import { provisionInflux } from '@lobbystats/series-api/admin';
import { Secret, type Env } from '@lobbystats/service-kit';
import { cleanUp, testServers } from '@lobbystats/test-kit';
import { MongoClient } from 'mongodb';
import type { Servers } from '../../src/operator/command/deployment.ts';
import { serverDatabases, type ServerDatabase } from '../../src/operator/servers/servers.ts';

const PASSWORD = 'a-password-of-tests';
const USERS = ['collector', 'series-api', 'catalog-api', 'user-api', 'reputation-api', 'gateway'] as const;
const SERVICES = { collector: 'COLLECTOR', catalog: 'CATALOG', users: 'USERS', reputation: 'REPUTATION' } as const;

/** A provisioned vhost, organisation and databases on the test servers. */
export interface TestDeployment {
  readonly servers: Servers;
  readonly databases: readonly ServerDatabase[];
  /** Settings for the services. */
  readonly env: Env;
}

/** Creates one, which is removed after the test file. */
export async function createTestDeployment(): Promise<TestDeployment> {
  const id = `operator-${randomUUID().slice(0, 8)}`;
  const { rabbitmq, influxdb, mongodb } = testServers();
  const management = new URL(rabbitmq.managementUrl);
  const [user, password] = [decodeURIComponent(management.username), decodeURIComponent(management.password)];
  const log = () => undefined;
  const vhost = id;
  cleanUp(() => requestRabbitMqApi(rabbitmq.managementUrl, 'DELETE', `vhosts/${vhost}`), 'file');
  const users = Object.fromEntries(USERS.map((name) => [name, PASSWORD]));
  const prefix = `${id}-`;
  await provisionRabbitMq({ managementUrl: rabbitmq.managementUrl, vhost, users, userPrefix: prefix, log });
  cleanUp(
    () =>
      Promise.all(USERS.map((name) => requestRabbitMqApi(rabbitmq.managementUrl, 'DELETE', `users/${prefix}${name}`))),
    'file',
  );

  const organization = (await requestInfluxApi('POST', 'orgs', { name: id })) as { id: string };
  cleanUp(() => requestInfluxApi('DELETE', `orgs/${organization.id}`), 'file');
  const { token } = await provisionInflux({ url: influxdb.url, adminToken: influxdb.token, org: id, log });

  const orgID = organization.id;
  const rights = [
    { action: 'read', resource: { type: 'orgs', id: orgID } },
    // Required to list tokens.
    { action: 'read', resource: { type: 'users' } },
    { action: 'read', resource: { type: 'authorizations', orgID } },
    { action: 'read', resource: { type: 'buckets', orgID } },
    { action: 'write', resource: { type: 'buckets', orgID } },
  ];
  const own = (await requestInfluxApi('POST', 'authorizations', { orgID, description: id, permissions: rights })) as {
    token: string;
  };

  const databases = serverDatabases.map(({ database, schema }) => ({ database: `${id}-${database}`, schema }));
  const admin = new URL(mongodb.url);
  const env: Record<string, string> = {
    BUS_URL: busUrl(rabbitmq.url, user, password, vhost),
    SERIES_URL: influxdb.url,
    INFLUXDB_ORG: id,
    INFLUX_TOKEN: token,
  };
  for (const { database, schema } of databases) {
    await provisionMongo({ adminUrl: mongodb.url, database, user: 'own', password: PASSWORD, schema, log });
    const url = new URL(mongodb.url);
    [url.username, url.password, url.pathname] = ['own', PASSWORD, database];
    env[`${SERVICES[schema.name as keyof typeof SERVICES]}_DATABASE_URL`] = url.href;
  }
  cleanUp(async () => {
    const client = new MongoClient(mongodb.url, { runtimeAdapters: { os } });
    for (const { database } of databases) {
      await client.db(database).command({ dropAllUsersFromDatabase: 1 });
      await client.db(database).dropDatabase();
    }
    await client.close();
  }, 'file');
  const servers: Servers = {
    form: 'servers',
    sourceOf: () => 'the tests',
    rabbitmq: {
      managementUrl: `${management.protocol}//${management.host}`,
      user,
      password: new Secret(password),
      vhost,
    },
    influxdb: { url: influxdb.url, token: new Secret(own.token), org: id },
    mongodb: {
      url: `mongodb://${admin.host}`,
      user: decodeURIComponent(admin.username),
      password: new Secret(decodeURIComponent(admin.password)),
    },
    erasureKey: new Secret('a-key-of-tests-alone'),
    url: 'http://127.0.0.1:9',
    networkUrl: undefined,
  };
  return { servers, databases, env };
}

function busUrl(base: string, user: string, password: string, vhost: string): string {
  const url = new URL(base);
  [url.username, url.password, url.pathname] = [user, password, vhost];
  return url.href;
}

async function requestRabbitMqApi(base: string, method: string, path: string): Promise<void> {
  const { protocol, host, username, password } = new URL(base);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  await fetch(`${protocol}//${host}/api/${path}`, { method, headers });
}

async function requestInfluxApi(method: string, path: string, body?: object): Promise<unknown> {
  const { url, token } = testServers().influxdb;
  const response = await fetch(`${url}/api/v2/${path}`, {
    method,
    headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
