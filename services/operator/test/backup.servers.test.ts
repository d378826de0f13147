import { appendFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { inspectRabbitMq } from '@lobbystats/message-bus';
import { provisionMongo } from '@lobbystats/mongo-store';
import { eventually, temporaryDirectory, testServers } from '@lobbystats/test-kit';
import { readManifest } from '../src/backup/manifest.ts';
import { lookAtServers } from '../src/doctor/look-at-servers.ts';
import { backUpServers } from '../src/servers/back-up-servers.ts';
import { connectMongo } from '../src/servers/server-databases.ts';
import { restoreServers } from '../src/servers/restore-servers.ts';
import { fill, startServices, type RunningServices } from './filled-standalone.ts';
import { publicAnswers } from './public-answers.ts';
import { serverCorner, type Corner } from './server-corner.ts';

jest.setTimeout(120_000);

const terminal = { out: () => undefined, error: () => undefined };
const clock = Date.now;

describe('npm run backup and restore, of the distributed form', () => {
  let first: Corner;
  let second: Corner;
  let copy: string;
  let answers: unknown;
  beforeAll(async () => {
    first = await serverCorner();
    second = await serverCorner();
    copy = join(temporaryDirectory('file'), 'copy');
    const services = await startServices({ DIRECTORY: temporaryDirectory('file'), ...first.env });
    try {
      await fill(services);
      answers = await settledAnswers(services, first);
      await backUpServers(first.servers, copy, { clock, terminal, databases: first.databases });
    } finally {
      await services.stop();
    }
  }, 240_000);

  const restore = (from: string, force = false) => {
    const { servers, databases } = second;
    return restoreServers(servers, { from, manifest: readManifest(from), force, clock, databases }, terminal);
  };

  it('bring back each document and each point: the same answers, and the same copy again', async () => {
    await restore(copy);
    const again = join(temporaryDirectory(), 'again');
    await backUpServers(second.servers, again, { clock, terminal, databases: second.databases });
    const contents = (from: string) => readManifest(from).parts.map(({ sha256, ...part }) => ({ ...part, bytes: 0 }));
    expect(contents(again)).toEqual(contents(copy));
    const services = await startServices({ DIRECTORY: temporaryDirectory(), ...second.env });
    try {
      expect(await publicAnswers(services)).toEqual(answers);
      // While they run, nothing is restored. The management plugin hears of consumers some seconds late.
      const consumers = async () => (await queuesOf(second)).reduce((sum, queue) => sum + queue.consumers, 0);
      await eventually(async () => expect(await consumers()).toBeGreaterThan(0), { timeoutMs: 30_000 });
      await expect(restore(copy, true)).rejects.toThrow('stop the services first');
    } finally {
      await services.stop();
    }
    await expect(restore(copy)).rejects.toThrow('--force');
    await restore(copy, true);
  });

  it('are told of a backup that was killed, and the next one has the server forget its past again', async () => {
    const { servers, databases } = first;
    const client = await connectMongo(servers.mongodb);
    const admin = client.db('admin');
    const warnings = async () =>
      (await lookAtServers(servers, clock, databases)).filter(({ says }) => says.includes('hours of the past')).length;
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

  it('go on after a restore that was cut off, before which no service opens the databases', async () => {
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
    const start = () => startServices({ DIRECTORY: temporaryDirectory(), ...second.env });
    await expect(start()).rejects.toThrow('is not prepared');
    await restore(copy);
    const services = await start();
    expect(await publicAnswers(services)).toEqual(answers);
    await services.stop();
    for (const { database, schema } of second.databases) {
      await provisionMongo({
        adminUrl: testServers().mongodb.url,
        database,
        user: 'own',
        password: 'x',
        schema,
        log: () => undefined,
      });
    }
  });
});

/** What is answered when all that was told of is taken in. */
async function settledAnswers(services: RunningServices, corner: Corner): Promise<unknown> {
  const { servers, databases } = corner;
  const client = await connectMongo(servers.mongodb);
  try {
    await eventually(
      async () => {
        const queues = await queuesOf(corner);
        expect(queues.reduce((sum, { messages }) => sum + messages, 0)).toBe(0);
        for (const { database } of databases)
          expect(await client.db(database).collection('outbox').findOne()).toBeNull();
        expect(JSON.stringify(await publicAnswers(services))).toContain('Grey');
      },
      { timeoutMs: 120_000, everyMs: 500 },
    );
  } finally {
    await client.close();
  }
  return publicAnswers(services);
}

async function queuesOf({ servers }: Corner) {
  const { managementUrl, user, password, vhost } = servers.rabbitmq;
  const { queues } = await inspectRabbitMq({ managementUrl, adminUser: user, adminPassword: password.reveal(), vhost });
  return queues;
}
