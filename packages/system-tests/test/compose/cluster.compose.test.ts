import { operations, SLOT_SECONDS, slotOf } from '@lobbystats/contracts';
import { createSimulator, type Account } from '@lobbystats/simulator';
import { eventually, getJson } from '@lobbystats/test-kit';
import { ClusterLoad } from '../cluster/cluster-load.ts';
import { expectComplete, serverFaults } from '../cluster/expect-complete.ts';
import { FACTS_LOG, mongoPrimary, MONGODB_MEMBERS, queueLeader, RABBITMQ_NODES } from '../cluster/leaders.ts';
import { measureFault, type FaultDuration, type FaultMeasurement } from '../cluster/measure-fault.ts';
import { restoreBackup } from '../cluster/restore-backup.ts';
import { deadLetters } from '../faults/dead-letters.ts';
import { killed, partitioned, paused, steppedDown, whileFaulty, type Fault } from '../faults/inject.ts';
import { waitUntil } from '../faults/wait.ts';
import { expectSiteSeries, simulatedSlots } from '../standalone/expect-series.ts';
import { expectAcknowledgedRatings } from '../standalone/rating-load.ts';
import { signIn } from '../standalone/sign-in.ts';
import { gatewayUrl, stack, unhealthyServices } from './stack.ts';

const networkUrl = String(process.env['TEST_SIMULATOR_URL']);
const RATERS = 6;
const PROFILES = 12;

const SHORT: FaultDuration = { faultMs: 20_000, afterMs: 8000 };
const LONG: FaultDuration = { faultMs: 30_000, afterMs: 20_000 };
const isLong = process.env['CLUSTER_DRILL'] === 'long';

/** While the pages of a slot are read. */
const MID_SLOT_MS = 3000;
const nowSeconds = () => Math.floor(Date.now() / 1000);
const midSlot = () => waitUntil((slotOf(nowSeconds()) + SLOT_SECONDS) * 1000 + MID_SLOT_MS);

type FaultOf = (service: string) => Fault;
type Case = [string, FaultOf, () => Promise<string>, FaultDuration];
const primary = () => mongoPrimary(stack);
const leader = () => queueLeader(stack, FACTS_LOG);
const short: Case[] = [
  ['the leader of the log is killed', killed, leader, SHORT],
  ['the leader of the log is paused', paused, leader, SHORT],
  ['the primary is paused', paused, primary, SHORT],
  ['the primary is partitioned', partitioned, primary, SHORT],
];
const inTurn: Case[] = [...RABBITMQ_NODES, ...MONGODB_MEMBERS].map((service) => [
  `${service} is killed`,
  killed,
  () => Promise.resolve(service),
  LONG,
]);
const inMidSlot: Case[] = [leader, primary].flatMap((find) =>
  [killed, paused, partitioned].map((fault): Case => {
    const findInMidSlot = async () => {
      await midSlot();
      return find();
    };
    return [
      `the ${find === leader ? 'leader of the log' : 'primary'} is ${fault.name} in mid-slot`,
      fault,
      findInMidSlot,
      LONG,
    ];
  }),
);

let load: ClusterLoad;
const measured: FaultMeasurement[] = [];
/** The first slot that begins under load. */
const firstSlot = slotOf(nowSeconds()) + SLOT_SECONDS;

beforeAll(async () => {
  const profiles = await eventually(readProfiles, { timeoutMs: 120_000, everyMs: 1000 });
  const { body: accounts } = await getJson<Account[]>(`${networkUrl}/simulator/accounts`);
  const raters = await Promise.all(
    accounts.slice(0, RATERS).map((account) => signIn({ url: gatewayUrl, networkUrl }, account)),
  );
  load = new ClusterLoad({ url: gatewayUrl, raters, profiles });
}, 180_000);

afterAll(() => {
  for (const { failedCachedReads, failedUncachedReads, ...times } of measured) {
    const failed = { failedCachedReads: failedCachedReads.length, failedUncachedReads: failedUncachedReads.length };
    process.stdout.write(`${JSON.stringify({ ...times, ...failed })}\n`);
  }
});

describe('a cluster under load', () => {
  it('streams the facts of ratings', async () => {
    await eventually(() => expect(load.facts.count).toBeGreaterThan(0));
  }, 60_000);

  it.each(isLong ? [...inTurn, ...inMidSlot] : short)(
    'serves cached reads and resumes writes and facts when %s',
    async (what, faultOf, find, duration) => {
      await eventually(() => expectComplete(stack), { timeoutMs: 90_000, everyMs: 3000 });
      const result = await measureFault({ stack, load }, what, faultOf(await find()), duration);
      measured.push(result);
      expect(result.failedCachedReads).toEqual([]);
      // Traffic resumed before the fault ended.
      expect(result.resumedWrites && result.resumedFacts).toBe(true);
    },
    600_000,
  );

  it('fails no read when the primary steps down', async () => {
    const fault = steppedDown(await primary());
    const result = await measureFault({ stack, load }, 'stepped down', fault, { faultMs: 2000, afterMs: 3000 });
    measured.push(result);
    expect(result.failedUncachedReads).toEqual([]);
  }, 120_000);

  it('reports a node that is down, and lists dead letters without it', async () => {
    await whileFaulty(stack, killed('rabbitmq'), async () => {
      const isReported = async () =>
        expect((await serverFaults(stack)).join('\n')).toContain('rabbit@rabbitmq is not running');
      await eventually(isReported, { timeoutMs: 90_000, everyMs: 1000 });
      expect(await deadLetters(stack)).toEqual([]);
    });
  }, 180_000);

  it('has every acknowledged rating once, no dead letter, and all members afterwards', async () => {
    await load.stop();
    await eventually(() => expectComplete(stack), { timeoutMs: 90_000, everyMs: 3000 });
    await eventually(async () => expect(await unhealthyServices()).toEqual([]), { everyMs: 1000 });
    await eventually(() => expectAcknowledgedRatings(gatewayUrl, load.ratings.ratings.values()));
    expect(await deadLetters(stack)).toEqual([]);
  }, 200_000);

  it('has every slot that began meanwhile once, as the network was', async () => {
    const last = slotOf(nowSeconds());
    const truth = simulatedSlots(createSimulator().world, firstSlot, last);
    const collected = async () => expect(await expectSiteSeries(gatewayUrl, truth)).toEqual([...truth.keys()]);
    // A slot is closed after two minutes.
    await eventually(collected, { timeoutMs: 150_000, everyMs: 1000 });
  }, 200_000);
});

// Part of the long drill: it takes four minutes.
(isLong ? describe : describe.skip)('a backup of a cluster', () => {
  it('is restored over its data: slots and ratings are there', async () => {
    await restoreBackup(stack);
    const truth = simulatedSlots(createSimulator().world, firstSlot, slotOf(nowSeconds()) - 2 * SLOT_SECONDS);
    const series = async () => expect(await expectSiteSeries(gatewayUrl, truth)).toEqual([...truth.keys()]);
    await eventually(series, { everyMs: 1000 });
    await eventually(() => expectAcknowledgedRatings(gatewayUrl, load.ratings.ratings.values()));
    expect(await deadLetters(stack)).toEqual([]);
  }, 600_000);
});

async function readProfiles(): Promise<string[]> {
  const { body } = await getJson<{ leaderboard: { username: string }[] }>(
    `${gatewayUrl}${operations.getAchievementLeaderboard.path}?limit=100`,
  );
  if (body.leaderboard.length < PROFILES) throw new Error('the users are not imported yet');
  return body.leaderboard.slice(0, PROFILES).map(({ username }) => username);
}
