import { ApiError } from '@lobbystats/client';
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
import { eventually, getJson } from '@lobbystats/test-kit';
import { expectBoardsLikeTruth, expectPastBoardsLikeTruth } from '../../services/standalone/test/boards-like-truth.ts';
import { expectChangesLikeTruth } from '../../services/standalone/test/changes-like-truth.ts';
import { everyBoard, type Passes } from '../../services/standalone/test/reference-changes.ts';
import { expectSiteLikeTruth, expectTitleLikeTruth, truthOf } from '../../services/standalone/test/like-truth.ts';
import { compose, deadLetters, gateway, killAndStart, pauseFor, startFresh, unhealthy } from './stack.ts';

const SERVICES = ['collector', 'series-api', 'catalog-api', 'gateway'];
const SERVERS = ['rabbitmq', 'influxdb', 'mongodb'];
const PAUSE_SECONDS = 30;
const FILL_BOARD_DAYS = 7;
/** Long enough for faults to fall into its coming in; a day less than is kept, so that nothing expires meanwhile. */
const FILL_DAYS = 29;

const { world } = createSimulator();

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

/** When the boards' past ends: at the hour in which the first collector began. */
async function boardsFilled(): Promise<Passes> {
  const log = await compose('logs', '--no-log-prefix', '--no-color', 'collector');
  const [, began] = /"time":"([^"]+)"/.exec(log) ?? [];
  const seconds = Date.parse(String(began)) / 1000;
  const to = seconds - (seconds % BOARD_PASS_SECONDS);
  return { from: to - FILL_BOARD_DAYS * DAY_SECONDS, to };
}

/** Titles whose boards are since the fill what they were then, whether somebody has read them since or not. */
function steadyTitles(to: number, now: number): string[] {
  const changing = new Set<string>();
  for (let pass = to; pass <= now; pass += BOARD_PASS_SECONDS) {
    for (const { titleId } of world.boardChanges(pass)) changing.add(titleId);
  }
  const withBoards = new Set(world.boardKeysAt(to).map(({ titleId }) => titleId));
  return [...withBoards].filter((titleId) => !changing.has(titleId));
}

async function expectBoardsOfStackLikeTruth(): Promise<void> {
  const passes = await boardsFilled();
  const now = Math.floor(Date.now() / 1000);
  const titles = steadyTitles(passes.to, now).slice(0, 5);
  let changes = 0;
  for (const titleId of titles) {
    await expectBoardsLikeTruth(gateway, world, { titleId, pass: now });
    changes += await expectChangesLikeTruth(gateway, world, { filled: passes, now, titleId });
    const boards = everyBoard(world, passes).filter((board) => board.titleId === titleId);
    await expectPastBoardsLikeTruth(gateway, world, boards.slice(0, 2), passes);
  }
  expect(changes).toBeGreaterThan(0);
}

/** Asks again while a store is too slow for its deadline, as it may be while boards come in; what else is wrong is so at once. */
async function onceAnswered(check: () => Promise<void>): Promise<void> {
  const wrong = await eventually(
    () =>
      check().then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 503) throw error;
          return { error };
        },
      ),
    { timeoutMs: 120_000, everyMs: 2000 },
  );
  if (wrong !== undefined) throw wrong.error;
}

beforeAll(() => startFresh({ FILL_DAYS: String(FILL_DAYS) }), 300_000);

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

  const last = Math.floor(Date.now() / 1000);
  const times = await eventually(
    async () => {
      const stored = await storedTimes();
      expect(stored.length).toBeGreaterThanOrEqual((FILL_DAYS * DAY_SECONDS) / SLOT_SECONDS);
      return stored;
    },
    { timeoutMs: 120_000, everyMs: 1000 },
  );
  const first = parseInstant(String(times[0]));
  const end = first + FILL_DAYS * DAY_SECONDS;
  const whole = truthOf(world, first, last - (last % SLOT_SECONDS));
  const collected = new Set(await expectSiteLikeTruth(gateway, whole));
  // A slot that is stored only now is left to the next run: a title may have it already.
  const truth = new Map([...whole].filter(([time]) => time <= String([...collected].at(-1))));
  const past = [...truth.keys()].filter((time) => parseInstant(time) < end);
  expect(past.filter((time) => !collected.has(time))).toEqual([]);

  const newest = truth.get(formatTimestamp(end - SLOT_SECONDS))?.titles ?? [];
  const horizon = formatTimestamp(end - MATCH_GAP_SECONDS - SLOT_SECONDS);
  for (const { titleId } of newest.toSorted((a, b) => b.online - a.online).slice(0, 3)) {
    await onceAnswered(() => expectTitleLikeTruth(gateway, titleId, { truth, collected, horizon }));
  }
  await eventually(expectBoardsOfStackLikeTruth, { timeoutMs: 300_000, everyMs: 2000 });
  expect(await deadLetters()).toEqual([]);
  // Whoever couldn't go on said why: services end and start again while a server is away for long, and for nothing else.
  expect(await compose('logs', '--no-color')).not.toMatch(/nobody caught|unsettled top-level await/);
}, 1_200_000);
