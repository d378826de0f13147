import {
  BOARD_PASS_SECONDS,
  DAY_SECONDS,
  MATCH_GAP_SECONDS,
  formatTimestamp,
  operations,
  parseInstant,
  SLOT_SECONDS,
} from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, getJson, untilAnswered } from '@lobbystats/test-kit';
import { expectBoards, expectPastBoards } from '../standalone/expect-boards.ts';
import { expectChanges } from '../standalone/expect-changes.ts';
import { everyBoard, type Passes } from '../standalone/reference-changes.ts';
import { expectSiteSeries, expectTitleSeries, simulatedSlots } from '../standalone/expect-series.ts';
import { deadLetters } from '../faults/dead-letters.ts';
import { killAndStart, pauseFor } from '../faults/inject.ts';
import { compose, gatewayUrl, recreateStack, stack, unhealthyServices } from './stack.ts';

const SERVICES = ['collector', 'series-api', 'catalog-api', 'gateway'];
const SERVERS = ['rabbitmq', 'influxdb', 'mongodb'];
const PAUSE_SECONDS = 30;
const BACKFILL_BOARD_DAYS = 7;
/** Long enough for faults during the backfill; one day less than retention, so that nothing expires. */
const BACKFILL_DAYS = 29;

/** A backfill leaves thousands of messages, of which a slow machine has consumed 17 a second. */
const DRAIN_MS = 1_200_000;

const { world } = createSimulator();

interface Point {
  recorded_at: string;
}

async function storedTimes(): Promise<string[]> {
  const { status, body } = await getJson(`${gatewayUrl}${operations.getOnlineSeries.path}?days=30`);
  if (status !== 200) throw new Error(`status ${status}`);
  return (body as Point[]).map(({ recorded_at }) => recorded_at);
}

/** Progress of the backfill in the collector log. */
async function backfillProgress(): Promise<{ done: boolean; slots: number }> {
  const log = await compose('logs', '--no-log-prefix', '--no-color', 'collector');
  const done = log.includes('snapshot backfill finished');
  const slots = [...log.matchAll(/"doneSlots":(\d+)/g)].map(([, count]) => Number(count));
  return { done, slots: Math.max(0, ...slots) };
}

/** The backfilled passes: they end at the hour in which the first collector started. */
async function backfilledPasses(): Promise<Passes> {
  const log = await compose('logs', '--no-log-prefix', '--no-color', 'collector');
  const [, began] = /"time":"([^"]+)"/.exec(log) ?? [];
  const seconds = Date.parse(String(began)) / 1000;
  const to = seconds - (seconds % BOARD_PASS_SECONDS);
  return { from: to - BACKFILL_BOARD_DAYS * DAY_SECONDS, to };
}

/** Titles whose boards have not changed since the backfill. */
function unchangedTitles(to: number, now: number): string[] {
  const changing = new Set<string>();
  for (let pass = to; pass <= now; pass += BOARD_PASS_SECONDS) {
    for (const { titleId } of world.boardChanges(pass)) changing.add(titleId);
  }
  const withBoards = new Set(world.boardKeysAt(to).map(({ titleId }) => titleId));
  return [...withBoards].filter((titleId) => !changing.has(titleId));
}

async function expectBackfilledBoards(): Promise<void> {
  const passes = await backfilledPasses();
  const now = Math.floor(Date.now() / 1000);
  const titles = unchangedTitles(passes.to, now).slice(0, 5);
  let changes = 0;
  for (const titleId of titles) {
    await expectBoards(gatewayUrl, world, { titleId, pass: now });
    changes += await expectChanges(gatewayUrl, world, { backfilled: passes, now, titleId });
    const boards = everyBoard(world, passes).filter((board) => board.titleId === titleId);
    await expectPastBoards(gatewayUrl, world, boards.slice(0, 2), passes);
  }
  expect(changes).toBeGreaterThan(0);
}

beforeAll(
  () =>
    recreateStack({
      BACKFILL_DAYS: String(BACKFILL_DAYS),
      BACKFILL_LEADERBOARD_DAYS: String(BACKFILL_BOARD_DAYS),
    }),
  300_000,
);

it('backfill completes exactly once and correctly while services are killed and paused', async () => {
  expect((await backfillProgress()).done).toBe(false);
  for (const service of [...SERVICES, ...SERVERS]) await killAndStart(stack, service);
  for (const server of SERVERS) await pauseFor(stack, server, PAUSE_SECONDS);
  // Paused together, as when their host hangs.
  await Promise.all([...SERVICES, 'nginx'].map((service) => pauseFor(stack, service, PAUSE_SECONDS)));
  await eventually(
    async () => {
      expect(await unhealthyServices()).toEqual([]);
    },
    { everyMs: 1000 },
  );
  await eventually(
    async () => {
      expect((await backfillProgress()).done).toBe(true);
    },
    { timeoutMs: DRAIN_MS, everyMs: 2000 },
  );

  const last = Math.floor(Date.now() / 1000);
  const times = await eventually(
    async () => {
      const stored = await storedTimes();
      expect(stored.length).toBeGreaterThanOrEqual((BACKFILL_DAYS * DAY_SECONDS) / SLOT_SECONDS);
      return stored;
    },
    { timeoutMs: DRAIN_MS, everyMs: 1000 },
  );
  const first = parseInstant(String(times[0]));
  const end = first + BACKFILL_DAYS * DAY_SECONDS;
  const whole = simulatedSlots(world, first, last - (last % SLOT_SECONDS));
  const collected = new Set(await expectSiteSeries(gatewayUrl, whole));
  // Ignores a slot that is being stored now: a title may have it already.
  const truth = new Map([...whole].filter(([time]) => time <= String([...collected].at(-1))));
  const past = [...truth.keys()].filter((time) => parseInstant(time) < end);
  expect(past.filter((time) => !collected.has(time))).toEqual([]);

  const newest = truth.get(formatTimestamp(end - SLOT_SECONDS))?.titles ?? [];
  const horizon = formatTimestamp(end - MATCH_GAP_SECONDS - SLOT_SECONDS);
  for (const { titleId } of newest.toSorted((a, b) => b.online - a.online).slice(0, 3)) {
    await untilAnswered(() => expectTitleSeries(gatewayUrl, titleId, { truth, collected, horizon }));
  }
  await eventually(expectBackfilledBoards, { timeoutMs: DRAIN_MS, everyMs: 2000 });
  expect(await deadLetters(stack)).toEqual([]);
  // Services may restart during a long outage of a server, but never because of an unhandled error.
  expect(await compose('logs', '--no-color')).not.toMatch(/uncaught error|unsettled top-level await/);
}, 3_600_000);
