import { eventually, temporaryDirectory } from '@lobbystats/test-kit';
import { Secret } from '@lobbystats/service-kit';
import { checkServers } from '../../src/operator/doctor/check-servers.ts';
import type { Finding } from '../../src/operator/doctor/finding.ts';
import { connectMongo } from '../../src/operator/servers/servers.ts';
import { startServices } from './seed-standalone.ts';
import { createTestDeployment, type TestDeployment } from './test-deployment.ts';

/** Faults as `part: message`. */
const faultsIn = (findings: readonly Finding[]) =>
  findings
    .filter(({ grade, part }) => grade === 'fault' && part !== 'disk')
    .map(({ part, text }) => `${part}: ${text}`);

describe('doctor on the distributed form', () => {
  let corner: TestDeployment;
  beforeAll(async () => {
    corner = await createTestDeployment();
  });

  it('reports server versions and no fault while the services run, and a fault when none does', async () => {
    const services = await startServices({ DIRECTORY: temporaryDirectory(), ...corner.env });
    // The management plugin reports consumers some seconds late.
    const findings = await eventually(
      async () => {
        const found = await checkServers(corner.servers, Date.now, corner.databases);
        expect(faultsIn(found).filter((one) => !/^(?:site|collector):/.test(one))).toEqual([]);
        return found;
      },
      { everyMs: 1000 },
    ).finally(() => services.stop());
    await eventually(
      async () => {
        const faults = faultsIn(await checkServers(corner.servers, Date.now, corner.databases));
        expect(faults).toContain('services: none consumes its queue');
      },
      { everyMs: 1000 },
    );
    const messages = findings.map(({ text }) => text).join('\n');
    for (const words of ['RabbitMQ 4', 'InfluxDB v2', 'MongoDB ', 'all indexes exist', 'expected retention']) {
      expect(messages).toContain(words);
    }
    expect(messages.match(/clock in sync/g)).toHaveLength(3);
  });

  it('reports a missing index, an older schema and an interrupted restore', async () => {
    const { servers, databases } = corner;
    const client = await connectMongo(servers.mongodb);
    const db = (name: string) => client.db(databases.find(({ schema }) => schema.name === name)?.database);
    const identities = (name: string) => db(name).collection<{ _id: string; schemaVersion?: number }>('store_identity');
    await db('catalog').collection('entry').dropIndexes();
    await identities('users').updateOne({ _id: 'identity' }, { $set: { schemaVersion: 0 } });
    await identities('reputation').deleteOne({ _id: 'identity' });
    await identities('reputation').insertOne({ _id: 'restoring' });
    await identities('collector').deleteOne({ _id: 'identity' });
    await client.close();
    const faults = faultsIn(await checkServers(servers, Date.now, databases)).join('\n');
    expect(faults).toMatch(/mongodb.catalog: .*entry\.\w+ is missing/);
    expect(faults).toContain('mongodb.users: schema version 0, of an older release');
    expect(faults).toContain('mongodb.reputation: a restore was interrupted');
    expect(faults).toContain('mongodb.collector: not prepared');
  });

  it('reports servers that refuse or are unreachable without printing secrets', async () => {
    const { servers, databases } = corner;
    const wrong: typeof servers = {
      ...servers,
      rabbitmq: { ...servers.rabbitmq, password: new Secret('hunter2') },
      influxdb: { ...servers.influxdb, token: new Secret('hunter2') },
      mongodb: { ...servers.mongodb, url: 'mongodb://127.0.0.1:9', password: new Secret('hunter2') },
    };
    const findings = await checkServers(wrong, Date.now, databases);
    expect(new Set(faultsIn(findings).map((one) => one.split(':')[0]))).toEqual(
      new Set(['rabbitmq', 'influxdb', 'mongodb']),
    );
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });
});
