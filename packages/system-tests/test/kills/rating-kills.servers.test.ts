import { operations, ratingStored, userStored, type OperationResponse } from '@lobbystats/contracts';
import type { MessageBus } from '@lobbystats/service-kit/bus';
import { openMongoStore, type MongoStore } from '@lobbystats/service-kit/mongo';
import { reputationSchema } from '@lobbystats/reputation-api/admin';
import { createSimulator } from '@lobbystats/simulator';
import { cleanUp, eventually, getJson } from '@lobbystats/test-kit';
import type { z } from 'zod';
import { expectAcknowledgedRatings, RatingLoad } from '../standalone/rating-load.ts';
import { signIn, pathTo } from '../standalone/sign-in.ts';
import { startProcess, type ServiceProcess } from '../standalone/service-process.ts';
import { createVhost, type TestVhost } from '@lobbystats/test-kit/test-vhost';
import { createTestDatabase } from '@lobbystats/test-kit/test-database';

type RatingFact = z.output<typeof ratingStored.data>;

/** Kill times in milliseconds after a number of ratings; the first ratings wait for key verification. */
const KILLS = [
  ...[0, 20, 60, 120, 200].map((ms) => ({ ratings: 0, ms })),
  ...[0, 3, 10, 30, 55, 80, 130, 300].map((ms) => ({ ratings: 1, ms })),
];
const PROFILES = Array.from({ length: 8 }, (_, index) => `Rated ${index}`);

let vhost: TestVhost;
let bus: MessageBus;
let store: MongoStore;
let env: Record<string, string>;
let simulator: ReturnType<typeof createSimulator>;
let networkUrl: string;

beforeAll(async () => {
  vhost = await createVhost('reputation-api');
  cleanUp(() => vhost.remove(), 'file');
  bus = await vhost.openBus();
  cleanUp(() => bus.close(), 'file');
  const mongo = await createTestDatabase({
    database: 'test_rating_kills',
    user: 'reputation-api',
    schema: reputationSchema,
  });
  await mongo.clear();
  store = await openMongoStore({ url: mongo.url, schema: reputationSchema, origin: 'simulated' });
  cleanUp(() => store.close(), 'file');
  simulator = createSimulator({ titles: 4, openMatches: 1, players: 50, boards: 0, entries: 0 });
  ({ url: networkUrl } = await simulator.start());
  cleanUp(() => simulator.stop(), 'file');
  env = {
    ...{ PORT: '0', METRICS_PORT: '0', LOG_FORMAT: 'json' },
    ...{ DATABASE_URL: mongo.url, BUS_URL: vhost.serviceUrl, AUTH_URL: networkUrl },
  };
});

/** Starts reputation-api as a child process. */
async function startReputation(): Promise<{ process: ServiceProcess; url: string }> {
  const process = startProcess('services/reputation-api/src/main.ts', { env });
  cleanUp(async () => {
    await process.stop('SIGKILL');
  });
  return { process, url: await process.waitForOutput(/"url":"(http:[^"]+)"/) };
}

it('each acknowledged rating is stored and published exactly once when reputation-api is killed at any time', async () => {
  const publishedRatings: RatingFact[] = [];
  const reader = await bus.readLog({
    from: 'start',
    onEntry: ({ message }) => {
      if (message.type === ratingStored.key) publishedRatings.push(message.data as RatingFact);
    },
    onFault: (error) => {
      throw error;
    },
  });
  cleanUp(() => reader.stop());
  await bus.publish(userStored, { revision: 1, users: PROFILES.map((username) => ({ username, gamertag: '' })) });
  const raters = await Promise.all(simulator.accounts.map((account) => signIn({ url: '', networkUrl }, account)));
  const storm = new RatingLoad(raters, PROFILES);
  cleanUp(() => storm.stop());

  let [beforeAny, beforeTelling] = [0, 0];
  for (const { ratings, ms } of KILLS) {
    const { process, url } = await startReputation();
    await eventually(async () => expect(await statusOf(url, PROFILES.at(-1)!)).toBe(200));
    const before = storm.acknowledged;
    storm.setUrl(url);
    await eventually(() => expect(storm.acknowledged - before).toBeGreaterThanOrEqual(ratings), { everyMs: 1 });
    await process.kill(ms);
    storm.setUrl('');
    beforeAny += Number(storm.acknowledged === before);
    beforeTelling += Number((await store.collection('outbox').countDocuments()) > 0);
  }
  // Some kills happened before anything was stored, others before it was published.
  expect(beforeAny).toBeGreaterThan(0);
  expect(beforeTelling).toBeGreaterThan(0);

  const { url } = await startReputation();
  storm.setUrl(url);
  const before = storm.acknowledged;
  const pairs = raters.length * PROFILES.length;
  await eventually(() => {
    expect(storm.acknowledged).toBeGreaterThan(before + 50);
    expect([...storm.ratings.values()].filter(({ acknowledged }) => acknowledged !== undefined).length).toBe(pairs);
  });
  await storm.stop();
  const ratingCounts = await expectAcknowledgedRatings(url, storm.ratings.values());
  expect([...ratingCounts.values()].reduce((sum, count) => sum + count, 0)).toBe(pairs);

  await eventually(async () => expect(await store.collection('outbox').countDocuments()).toBe(0));
  await eventually(async () => {
    for (const profile of PROFILES) {
      const { average, ratingCount } = await reputationOf(url, profile);
      expect(publishedRatings.findLast(({ username }) => username === profile)).toMatchObject({ average, ratingCount });
    }
    for (const [rater, count] of ratingCounts) {
      const counts = publishedRatings.flatMap(({ raters: some }) => some).filter(({ username }) => username === rater);
      expect([rater, Math.max(...counts.map(({ ratingsGiven }) => ratingsGiven))]).toEqual([rater, count]);
    }
  });
  expect(await vhost.deadLetters()).toBe(0);
});

const readReputation = (url: string, profile: string) =>
  getJson<OperationResponse<typeof operations.getReputation>>(url + pathTo(operations.getReputation.path, profile));
const statusOf = async (url: string, profile: string) => (await readReputation(url, profile)).status;
const reputationOf = async (url: string, profile: string) => (await readReputation(url, profile)).body;
