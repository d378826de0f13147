import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { influxManagement } from '@lobbystats/series-api/admin';
import { ManagementApi } from '@lobbystats/service-kit/bus';
import { Secret } from '@lobbystats/service-kit';
import { cleanUp, temporaryDirectory, testServers } from '@lobbystats/test-kit';
import { MongoClient } from 'mongodb';
import type { Servers } from '../../src/operator/command/deployment.ts';
import { rotate } from '../../src/provision/rotate/rotate.ts';

const name = `rotated-${randomUUID().slice(0, 8)}`;
const former = randomBytes(24).toString('hex');
const { rabbitmq, influxdb, mongodb } = testServers();
const management = new ManagementApi({ url: rabbitmq.managementUrl });
const client = new MongoClient(mongodb.url, { runtimeAdapters: { os } });
const influx = (token: string) => influxManagement.adminClient({ url: influxdb.url, token });
let servers: Servers;

/** Administrators of this suite alone, so that those of other suites stay. */
beforeAll(async () => {
  await management.put({ password: former, tags: 'administrator' }, 'users', name);
  cleanUp(() => management.delete('users', name), 'file');
  await client.db('admin').command({ createUser: name, pwd: former, roles: ['root'] });
  cleanUp(async () => {
    await client.db('admin').command({ dropUser: name });
    await client.close();
  }, 'file');
  const { origin } = new URL(rabbitmq.managementUrl);
  const token = await influxManagement.copyToken(influx(influxdb.token), influxdb.token);
  servers = {
    form: 'servers',
    sourceOf: () => 'the tests',
    rabbitmq: { managementUrl: origin, user: name, password: new Secret(former), vhost: '/' },
    influxdb: { url: influxdb.url, token: new Secret(token), org: influxdb.org },
    mongodb: { url: `mongodb://${new URL(mongodb.url).host}`, user: name, password: new Secret(former) },
    erasureKey: undefined,
    url: '',
    networkUrl: undefined,
  };
});

/** The stored secret, and whether the former value is still accepted. */
const logins: Readonly<Record<string, (password: string) => Promise<unknown>>> = {
  RABBITMQ_ADMIN_PASSWORD: (password) =>
    new ManagementApi({ url: servers.rabbitmq.managementUrl, user: name, password }).get('whoami'),
  MONGODB_ADMIN_PASSWORD: async (password) => {
    const { url } = servers.mongodb;
    const auth = { username: name, password };
    const own = new MongoClient(url, { auth, directConnection: true, runtimeAdapters: { os } });
    await own
      .db('admin')
      .command({ ping: 1 })
      .finally(() => own.close());
  },
  INFLUXDB_ADMIN_TOKEN: (token) => influxManagement.ownUser(influx(token)),
};
const formerOf = (secret: string) => (secret === 'INFLUXDB_ADMIN_TOKEN' ? servers.influxdb.token.reveal() : former);

describe('rotation', () => {
  it.each(Object.keys(logins))('of %s stores what the server accepts, and ends the former value', async (secret) => {
    const directory = temporaryDirectory();
    const file = join(directory, secret);
    writeFileSync(file, formerOf(secret));
    await rotate(servers, secret, directory);
    const stored = readFileSync(file, 'utf8');
    expect([stored === formerOf(secret), existsSync(`${file}.next`)]).toEqual([false, false]);
    await logins[secret]?.(stored);
    await expect(logins[secret]?.(formerOf(secret))).rejects.toThrow();
  });

  it('that was interrupted after the server had accepted the value is completed', async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'RABBITMQ_ADMIN_PASSWORD');
    const next = randomBytes(24).toString('hex');
    await management.put({ password: next, tags: 'administrator' }, 'users', name);
    writeFileSync(file, former);
    writeFileSync(`${file}.next`, next);
    await rotate(servers, 'RABBITMQ_ADMIN_PASSWORD', directory);
    expect([readFileSync(file, 'utf8'), existsSync(`${file}.next`)]).toEqual([next, false]);
  });

  it('of a value that the server refuses keeps the former one', async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'MONGODB_ADMIN_PASSWORD');
    writeFileSync(file, former);
    const lost = { ...servers, mongodb: { ...servers.mongodb, password: new Secret('another') } };
    await expect(rotate(lost, 'MONGODB_ADMIN_PASSWORD', directory)).rejects.toThrow(/Authentication failed/);
    expect(readFileSync(file, 'utf8')).toBe(former);
  });

  it('of a secret that is not stored is refused', async () => {
    const directory = temporaryDirectory();
    await expect(rotate(servers, 'MONGODB_ADMIN_PASSWORD', directory)).rejects.toThrow(/does not exist/);
    await expect(rotate(servers, 'ERASURE_KEY', directory)).rejects.toThrow(/is none of/);
  });
});
