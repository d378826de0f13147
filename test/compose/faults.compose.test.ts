import { MATCH_GAP_SECONDS, formatTimestamp, operations, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, getJson } from '@lobbystats/test-kit';
import { expectSiteLikeTruth, expectTitleLikeTruth, truthOf } from '../../services/standalone/test/like-truth.ts';
import { compose, deadLetters, gateway, killAndStart, pauseFor, startFresh, unhealthy } from './stack.ts';

const SERVICES = ['collector', 'series-api', 'catalog-api', 'gateway'];
const SERVERS = ['rabbitmq', 'influxdb', 'mongodb'];
const PAUSE_SECONDS = 30;

const { world } = createSimulator();
const secondsOf = (timestamp: string) => Date.parse(`${timestamp.replace(' ', 'T')}Z`) / 1000;

interface Point {
  recorded_at: string;
}

async function storedTimes(): Promise<string[]> {
  const { status, body } = await getJson(`${gateway}${operations.getOnlineSeries.path}?days=30`);
  if (status !== 200) throw new Error(`status ${status}`);
  return (body as Point[]).map(({ recorded_at }) => recorded_at);
}

/** The fill's slots and where it is: its progress as the collectors' log has it. */
async function filled(): Promise<{ done: boolean; slots: number }> {
  const log = await compose('logs', '--no-log-prefix', '--no-color', 'collector');
  const done = log.includes('the past is brought in');
  const slots = [...log.matchAll(/"doneSlots":(\d+)/g)].map(([, count]) => Number(count));
  return { done, slots: Math.max(0, ...slots) };
}

beforeAll(startFresh, 300_000);

it('has every slot of the past once and as it was, whatever was killed or stood still while it came in', async () => {
  expect((await filled()).done).toBe(false);
  for (const service of [...SERVICES, ...SERVERS]) await killAndStart(service);
  for (const server of SERVERS) await pauseFor(server, PAUSE_SECONDS);
  // Together, as when their host stands still; each of them alone was killed.
  await Promise.all([...SERVICES, 'nginx'].map((service) => pauseFor(service, PAUSE_SECONDS)));
  await eventually(
    async () => {
      expect(await unhealthy()).toEqual([]);
    },
    { timeoutMs: 60_000, everyMs: 1000 },
  );
  await eventually(
    async () => {
      expect((await filled()).done).toBe(true);
    },
    { timeoutMs: 400_000, everyMs: 2000 },
  );

  const { days, last } = { days: Number(process.env['TEST_FILL_DAYS']), last: Math.floor(Date.now() / 1000) };
  const times = await eventually(
    async () => {
      const stored = await storedTimes();
      expect(stored.length).toBeGreaterThanOrEqual((days * 86_400) / SLOT_SECONDS);
      return stored;
    },
    { timeoutMs: 120_000, everyMs: 1000 },
  );
  const first = secondsOf(String(times[0]));
  const end = first + days * 86_400;
  const truth = truthOf(world, first, last - (last % SLOT_SECONDS));
  const collected = new Set(await expectSiteLikeTruth(gateway, truth));
  const past = [...truth.keys()].filter((time) => secondsOf(time) < end);
  expect(past.filter((time) => !collected.has(time))).toEqual([]);

  const newest = truth.get(formatTimestamp(end - SLOT_SECONDS))?.titles ?? [];
  const horizon = formatTimestamp(end - MATCH_GAP_SECONDS - SLOT_SECONDS);
  for (const { titleId } of newest.toSorted((a, b) => b.online - a.online).slice(0, 3)) {
    await expectTitleLikeTruth(gateway, titleId, { truth, collected, horizon });
  }
  expect(await deadLetters()).toEqual([]);
  // Whoever couldn't go on said why: services end and start again while a server is away for long, and for nothing else.
  expect(await compose('logs', '--no-color')).not.toMatch(/nobody caught|unsettled top-level await/);
}, 900_000);
