import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockServers, temporaryDirectory, testServers } from '@lobbystats/test-kit';
import { secrets } from '../../src/provision/env-file/env-file.ts';
import { readProvisionConfig } from '../../src/provision/config.ts';
import { provision } from '../../src/provision/provision.ts';

const { rabbitmq, influxdb, mongodb } = testServers();
const management = new URL(rabbitmq.managementUrl);
const mongo = new URL(mongodb.url);
const directory = temporaryDirectory('file');

/** Random passwords of service users; administrators use those of the servers. */
const env = {
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

async function run(changes: Record<string, string> = {}): Promise<string[]> {
  const lines: string[] = [];
  await provision(readProvisionConfig({ ...env, ...changes }), (line) => lines.push(line));
  return lines;
}

const grafanaToken = join(directory, 'grafana/influxdb');
const token = () => readFileSync(join(directory, 'series-api'), 'utf8');

const influx = (path: string, init: RequestInit = {}) =>
  fetch(`${influxdb.url}/api/v2/${path}`, {
    ...init,
    headers: { authorization: `Token ${influxdb.token}`, 'content-type': 'application/json' },
  });

async function retentionOf(name: string): Promise<{ id: string; seconds: number }> {
  const answer = await influx(`buckets?name=${name}`);
  const { buckets } = (await answer.json()) as {
    buckets: { id: string; retentionRules: { everySeconds: number }[] }[];
  };
  const [bucket] = buckets;
  return { id: String(bucket?.id), seconds: bucket?.retentionRules[0]?.everySeconds ?? 0 };
}

beforeAll(lockServers, 600_000);

describe('init job', () => {
  it('prepares the servers without logging secrets, and creates nothing on a second run', async () => {
    const first = await run();
    const written = token();
    const second = await run();
    expect(second.filter((line) => /\b(made|created)\b/.test(line))).toEqual([]);
    expect(token()).toBe(written);
    const output = [...first, ...second].join('\n');
    for (const secret of [...Object.keys(secrets).map((name) => env[name as keyof typeof env]), written]) {
      expect(output).not.toContain(secret);
    }
  });

  it('creates a read-only token for Grafana and replaces it when it is lost', async () => {
    await run();
    const read = () => readFileSync(grafanaToken, 'utf8');
    const first = read();
    const asked = async (path: string, body?: string) => {
      const init = body === undefined ? {} : { method: 'POST', body };
      const headers = { authorization: `Token ${read()}` };
      return (await fetch(`${influxdb.url}/${path}`, { ...init, headers })).status;
    };
    expect(await asked('query?db=snapshots&q=SHOW%20MEASUREMENTS')).toBe(200);
    const { org } = influxdb;
    expect(await asked(`api/v2/write?org=${org}&bucket=snapshots`, 'intruder value=1')).toBe(403);
    rmSync(grafanaToken);
    await run();
    expect(read()).not.toBe(first);
    expect(await asked('query?db=snapshots&q=SHOW%20MEASUREMENTS')).toBe(200);
  });

  it('corrects a changed retention', async () => {
    await run();
    const { id } = await retentionOf('snapshots');
    await influx(`buckets/${id}`, {
      method: 'PATCH',
      body: JSON.stringify({ retentionRules: [{ type: 'expire', everySeconds: 7200 }] }),
    });
    await run();
    expect((await retentionOf('snapshots')).seconds).toBe(2_592_000);
  });

  it('applies a changed password to its user', async () => {
    await run();
    await run({ RABBITMQ_DLQ_PASSWORD: 'changed-password' });
    const whoami = (password: string) =>
      fetch(`${management.origin}/api/whoami`, { headers: { authorization: `Basic ${btoa(`dlq:${password}`)}` } });
    // The user exists, but has no access to the management API.
    expect(await (await whoami('changed-password')).text()).toMatch(/not_authori[sz]ed|Not management user/i);
  });

  it.each([
    ['RabbitMQ', { RABBITMQ_ADMIN_PASSWORD: 'another-one-of-theirs' }],
    ['InfluxDB', { INFLUXDB_ADMIN_TOKEN: 'another-one-of-theirs' }],
    ['MongoDB', { MONGODB_ADMIN_PASSWORD: 'another-one-of-theirs' }],
  ])('reports that %s refuses the administrator without printing the password', async (server, changes) => {
    const refused = run(changes);
    await expect(refused).rejects.toThrow(new RegExp(server, 'i'));
    await expect(refused).rejects.not.toThrow(/another-one-of-theirs/);
  });
});
