import { temporaryDirectory } from '@lobbystats/test-kit';
import { Secret } from '@lobbystats/service-kit';
import { lookAtServers } from '../src/doctor/look-at-servers.ts';
import type { Finding } from '../src/doctor/finding.ts';
import { connectMongo } from '../src/servers/server-databases.ts';
import { startServices } from './filled-standalone.ts';
import { serverCorner, type Corner } from './server-corner.ts';

jest.setTimeout(120_000);

/** What isn't well, as `part: what it says`. */
const unwell = (findings: readonly Finding[]) =>
  findings
    .filter(({ grade, part }) => grade === 'fault' && part !== 'disk')
    .map(({ part, says }) => `${part}: ${says}`);

describe('npm run doctor, on the distributed form', () => {
  let corner: Corner;
  beforeAll(async () => {
    corner = await serverCorner();
  }, 120_000);

  it('names what runs and which versions, and finds no fault where the services run', async () => {
    const services = await startServices({ DIRECTORY: temporaryDirectory(), ...corner.env });
    const findings = await lookAtServers(corner.servers, Date.now, corner.databases);
    await services.stop();
    expect(unwell(findings).filter((one) => !one.startsWith('site:'))).toEqual([]);
    const said = findings.map(({ says }) => says).join('\n');
    for (const words of ['RabbitMQ 4', 'InfluxDB v2', 'MongoDB ', 'all indexes are there', 'keep what they should']) {
      expect(said).toContain(words);
    }
    expect(said.match(/its clock is ours/g)).toHaveLength(3);
  });

  it('names a missing index, an older schema, and a restore that was cut off', async () => {
    const { servers, databases } = corner;
    const client = await connectMongo(servers.mongodb);
    const db = (name: string) => client.db(databases.find(({ schema }) => schema.name === name)?.database);
    const identities = (name: string) => db(name).collection<{ _id: string; schemaVersion?: number }>('store_identity');
    await db('catalog').collection('entry').dropIndexes();
    await identities('people').updateOne({ _id: 'identity' }, { $set: { schemaVersion: 0 } });
    await identities('reputation').deleteOne({ _id: 'identity' });
    await identities('reputation').insertOne({ _id: 'restoring' });
    await identities('collector').deleteOne({ _id: 'identity' });
    await client.close();
    const faults = unwell(await lookAtServers(servers, Date.now, databases)).join('\n');
    expect(faults).toMatch(/mongodb.catalog: .*entry\.\w+ is missing/);
    expect(faults).toContain('mongodb.people: schema version 0, of an older release');
    expect(faults).toContain('mongodb.reputation: a restore was cut off');
    expect(faults).toContain('mongodb.collector: not prepared');
  });

  it('says of a server that refuses or is away what to look at, and no secret', async () => {
    const { servers, databases } = corner;
    const wrong: typeof servers = {
      ...servers,
      rabbitmq: { ...servers.rabbitmq, password: new Secret('hunter2') },
      influxdb: { ...servers.influxdb, token: new Secret('hunter2') },
      mongodb: { ...servers.mongodb, url: 'mongodb://127.0.0.1:9', password: new Secret('hunter2') },
    };
    const findings = await lookAtServers(wrong, Date.now, databases);
    expect(new Set(unwell(findings).map((one) => one.split(':')[0]))).toEqual(
      new Set(['rabbitmq', 'influxdb', 'mongodb']),
    );
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });
});
