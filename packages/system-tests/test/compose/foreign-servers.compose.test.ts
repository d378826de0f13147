import { operations, SLOT_SECONDS, slotOf } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, getJson } from '@lobbystats/test-kit';
import { readStream } from '@lobbystats/test-kit/stream-reading';
import { killed, whileFaulty } from '../faults/inject.ts';
import { waitForNextSlot } from '../faults/wait.ts';
import { ForeignServers, MONGODB_MEMBERS, RABBITMQ_NODES } from '../kubernetes/foreign-servers.ts';
import { expectSiteSeries, simulatedSlots } from '../standalone/expect-series.ts';
import { expectAcknowledgedRatings, RatingLoad } from '../standalone/rating-load.ts';
import { signInAll } from '../standalone/sign-in.ts';
import { compose } from './stack.ts';

const NETWORK = { titles: 60, boards: 600, entries: 60_000, players: 6000 };
const PROFILES = 12;
const RETURN = { timeoutMs: 180_000, everyMs: 1000 };
const LONG = 900_000;

const servers = new ForeignServers();
const resources = new AsyncDisposableStack();
let url: string;
let ratings: RatingLoad;
/** The first slot that is read while a member is killed. */
let firstSlot: number;

beforeAll(async () => {
  // The stack of the other suites, which start it again: two systems are too much for a small machine.
  await compose('stop', '-t', '10');
  resources.defer(() => servers.remove());
  await servers.start(NETWORK);
  url = await servers.url('gateway', 8080);
  const networkUrl = await servers.url('simulator', 8090);
  const profiles = await eventually(readProfiles, RETURN);
  ratings = new RatingLoad(await signInAll({ url, networkUrl }), profiles, { everyMs: 200 });
  resources.defer(() => ratings.stop());
  ratings.setUrl(url);
  firstSlot = await waitForNextSlot();
}, LONG);
afterAll(() => resources.disposeAsync(), LONG);

describe('services on servers that somebody else operates', () => {
  it.each([...RABBITMQ_NODES, ...MONGODB_MEMBERS])(
    'rate, answer and stream while %s is away',
    async (member) => {
      await whileFaulty(servers, killed(member), async () => {
        await ratings.acknowledge(20, RETURN);
        await eventually(() => expectAnswers(), RETURN);
        await eventually(() => expectFacts(), RETURN);
      });
      await eventually(() => servers.ensureComplete(), RETURN);
    },
    LONG,
  );

  it(
    'have every acknowledged rating once, and no dead letter',
    async () => {
      await ratings.stop();
      await eventually(() => expectAcknowledgedRatings(url, ratings.ratings.values()), RETURN);
      expect(await servers.deadLetters()).toEqual([]);
    },
    LONG,
  );

  it(
    'have every slot that was read meanwhile, as the network was',
    async () => {
      const truth = simulatedSlots(createSimulator(NETWORK).world, firstSlot, slotOf(Math.floor(Date.now() / 1000)));
      expect(truth.size).toBeGreaterThan(0);
      const collected = async () => expect(await expectSiteSeries(url, truth)).toEqual([...truth.keys()]);
      await eventually(collected, { ...RETURN, timeoutMs: SLOT_SECONDS * 1000 });
    },
    LONG,
  );
});

/** Fails unless each store answers a request that no cache has. */
async function expectAnswers(): Promise<void> {
  const query = Math.random().toString().slice(2, 5);
  const paths = [
    `${operations.searchByTime.path}?time=1:00&tolerance=${query}`,
    `${operations.getOnlineSeries.path}?days=1&${query}`,
    `${operations.suggestNames.path}?q=${query}`,
  ];
  for (const path of paths) expect([path, (await getJson(url + path)).status]).toEqual([path, 200]);
}

/** Fails unless the fact of a rating arrives: it passes MongoDB's outbox, RabbitMQ's log and a gateway. */
async function expectFacts(): Promise<void> {
  const stream = await readStream(`${url}/api/stream?topics=ratings`);
  try {
    await eventually(() => expect(stream.events).not.toEqual([]), { timeoutMs: 5000, everyMs: 50 });
  } finally {
    stream.disconnect();
  }
}

async function readProfiles(): Promise<string[]> {
  const { body } = await getJson<{ leaderboard: { username: string }[] }>(
    `${url}${operations.getAchievementLeaderboard.path}?limit=${PROFILES}`,
  );
  expect(body.leaderboard).toHaveLength(PROFILES);
  return body.leaderboard.map(({ username }) => username);
}
