import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectRabbitMq } from '@lobbystats/service-kit/bus';
import { provisionMongo } from '@lobbystats/service-kit/mongo';
import { eventually, temporaryDirectory, testServers, untilAnswered } from '@lobbystats/test-kit';
import { MANIFEST, readManifest } from '../../src/operator/backup/manifest.ts';
import { checkServers } from '../../src/operator/doctor/check-servers.ts';
import { backUpServers } from '../../src/operator/servers/back-up-servers.ts';
import { connectMongo } from '../../src/operator/servers/servers.ts';
import { restoreServers } from '../../src/operator/servers/restore-servers.ts';
import { seedServices, startServices, type RunningServices } from './seed-standalone.ts';
import { userSchema } from '@lobbystats/user-api/admin';
import { publicResponses } from './public-responses.ts';
import { createTestDeployment, type TestDeployment } from './test-deployment.ts';

const terminal = { out: () => undefined, error: () => undefined };
const clock = Date.now;

describe('backup and restore of the distributed form', () => {
  let first: TestDeployment;
  let second: TestDeployment;
  let copy: string;
  let answers: unknown;
  beforeAll(async () => {
    first = await createTestDeployment();
    second = await createTestDeployment();
    copy = join(temporaryDirectory('file'), 'copy');
    const services = await startServices({ DIRECTORY: temporaryDirectory('file'), ...first.env });
    try {
      await seedServices(services);
      answers = await settledResponses(services, first);
      await backUpServers(first.servers, copy, { clock, terminal, databases: first.databases });
    } finally {
      await services.stop();
    }
  });

  const restore = (from: string, force = false) => {
    const { servers, databases } = second;
    const options = { from, manifest: readManifest(from), force, clock, databases };
    return untilAnswered(() => restoreServers(servers, options, terminal));
  };

  it('a restore reproduces all documents and points, the same responses, and an equal backup', async () => {
    await restore(copy);
    const again = join(temporaryDirectory(), 'again');
    await backUpServers(second.servers, again, { clock, terminal, databases: second.databases });
    const contents = (from: string) => readManifest(from).parts.map(({ sha256, ...part }) => ({ ...part, bytes: 0 }));
    expect(contents(again)).toEqual(contents(copy));
    const services = await startServices({ DIRECTORY: temporaryDirectory(), ...second.env });
    try {
      expect(await publicResponses(services)).toEqual(answers);
      // A restore is refused while services run. The management plugin reports consumers some seconds late.
      const consumers = async () => (await inspectQueues(second)).reduce((sum, queue) => sum + queue.consumers, 0);
      await eventually(async () => expect(await consumers()).toBeGreaterThan(0));
      await expect(restore(copy, true)).rejects.toThrow('stop the services first');
    } finally {
      await services.stop();
    }
    await expect(restore(copy)).rejects.toThrow('--force');
    await restore(copy, true);
  });

  it('a backup without channels has none of them', async () => {
    const users = first.databases.find(({ schema }) => schema.name === userSchema.name)?.database;
    const client = await connectMongo(first.servers.mongodb);
    const channels = client.db(users).collection<{ _id: string }>('channel');
    const counted = async (withoutChannels: boolean) => {
      const to = join(temporaryDirectory(), 'copy');
      await backUpServers(first.servers, to, { clock, terminal, databases: first.databases, withoutChannels });
      return readManifest(to).parts.find(({ counts }) => 'channel' in counts)?.counts;
    };
    try {
      await channels.insertOne({ _id: 'of-the-test' }, { bypassDocumentValidation: true });
      expect([await counted(true), await counted(false)]).toEqual([{ channel: 0 }, { channel: 1 }]);
    } finally {
      await channels.deleteOne({ _id: 'of-the-test' });
      await client.close();
    }
  });

  it('a backup of a release before a collection existed is restored, and only of an older release', async () => {
    const older = join(temporaryDirectory(), 'older');
    cpSync(copy, older, { recursive: true });
    const newest = 'mongodb.catalog.pending_names.bson.gz';
    rmSync(join(older, newest));
    const rewrite = (version: number) => {
      const manifest = readManifest(copy);
      const parts = manifest.parts
        .filter(({ file }) => file !== newest)
        .map((part) => (part.file.startsWith('mongodb.catalog.') ? { ...part, schemaVersion: version } : part));
      writeFileSync(join(older, MANIFEST), JSON.stringify({ ...manifest, parts }));
    };
    const version = Number(readManifest(copy).parts.find(({ file }) => file === newest)?.schemaVersion);
    rewrite(version);
    await expect(restore(older, true)).rejects.toThrow('it belongs to another release');
    rewrite(version - 1);
    await restore(older, true);
  });

  it('doctor warns of a killed backup, and the next backup resets the snapshot history window', async () => {
    const { servers, databases } = first;
    const client = await connectMongo(servers.mongodb);
    const admin = client.db('admin');
    const warnings = async () =>
      (await checkServers(servers, clock, databases)).filter(({ text }) => text.includes('snapshot history window'))
        .length;
    try {
      expect(await warnings()).toBe(0);
      const [parameter, seconds] = ['minSnapshotHistoryWindowInSeconds', 6 * 3600];
      await admin.command({ setParameter: 1, [parameter]: seconds });
      expect(await warnings()).toBe(1);
      const to = join(temporaryDirectory('file'), 'after');
      await backUpServers(servers, to, { clock, terminal, databases });
      expect(await admin.command({ getParameter: 1, [parameter]: 1 })).toMatchObject({ [parameter]: 300 });
    } finally {
      await client.close();
    }
  });

  it('an interrupted restore keeps services from starting until it is repeated', async () => {
    const broken = join(temporaryDirectory(), 'broken');
    cpSync(copy, broken, { recursive: true });
    appendFileSync(join(broken, 'influxdb.daily.jsonl.gz'), 'x');
    await expect(restore(broken, true)).rejects.toThrow('not what was backed up');
    const client = await connectMongo(second.servers.mongodb);
    for (const { database } of second.databases) {
      await client.db(database).collection('store_identity').deleteMany({});
      await client.db(database).collection<{ _id: string }>('store_identity').insertOne({ _id: 'restoring' });
    }
    await client.close();
    const provision = async () => {
      const ofUser = { adminUrl: testServers().mongodb.url, user: 'own', password: 'x', log: () => undefined };
      for (const { database, schema } of second.databases) await provisionMongo({ ...ofUser, database, schema });
    };
    const start = () => startServices({ DIRECTORY: temporaryDirectory(), ...second.env });
    await expect(start()).rejects.toThrow('has an interrupted restore');
    // Neither the init job nor a backup takes the rest for a database.
    await expect(provision()).rejects.toThrow('has an interrupted restore');
    const to = join(temporaryDirectory(), 'half');
    await expect(backUpServers(second.servers, to, { clock, terminal, databases: second.databases })).rejects.toThrow(
      'was interrupted',
    );
    await restore(copy);
    const services = await start();
    expect(await publicResponses(services)).toEqual(answers);
    await services.stop();
    await provision();
  });
});

/** Responses after all published messages are consumed. */
async function settledResponses(services: RunningServices, corner: TestDeployment): Promise<unknown> {
  const { servers, databases } = corner;
  const client = await connectMongo(servers.mongodb);
  try {
    await eventually(
      async () => {
        const queues = await inspectQueues(corner);
        expect(queues.reduce((sum, { messages }) => sum + messages, 0)).toBe(0);
        for (const { database } of databases)
          expect(await client.db(database).collection('outbox').findOne()).toBeNull();
        expect(JSON.stringify(await publicResponses(services))).toContain('Grey');
      },
      { timeoutMs: 120_000, everyMs: 500 },
    );
  } finally {
    await client.close();
  }
  return publicResponses(services);
}

async function inspectQueues({ servers }: TestDeployment) {
  const { managementUrl, user, password, vhost } = servers.rabbitmq;
  const { queues } = await inspectRabbitMq({ managementUrl, adminUser: user, adminPassword: password.reveal(), vhost });
  return queues;
}
