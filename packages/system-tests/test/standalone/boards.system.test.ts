import { BOARD_PASS_SECONDS, formatDate, SLOT_SECONDS, DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { createSimulator, designOfSeed, type World } from '@lobbystats/simulator';
import { eventually, fixedClock, seedOfRun, temporaryDirectory } from '@lobbystats/test-kit';
import { readStandaloneConfig } from '@lobbystats/standalone/config';
import { createSystem } from '@lobbystats/standalone/system';
import { expectBoards, expectBoardReadTimes, expectPastBoards } from './expect-boards.ts';
import { expectChanges } from './expect-changes.ts';
import { runThroughHour, waitForSlot } from './run-through-hour.ts';
import { systemEnv } from './run-system.ts';
import { everyBoard } from './reference-changes.ts';
import { siteClient } from './site-client.ts';

/** Events are listed until 30 days after their end; near that limit, time zones and end times decide. */
const CERTAINLY_LISTED_DAYS = 28;
const CERTAINLY_REMOVED_DAYS = 33;

/**
 * Fails unless the listed events equal those that the network announces in a slot, ordered by start.
 *
 * @param networkUrl public URL of the network
 */
async function expectEvents(
  url: string,
  world: World,
  { slot, networkUrl }: { slot: EpochSeconds; networkUrl: string },
): Promise<void> {
  const body = await siteClient(url).listEvents();
  const listedIds = new Set(body.map(({ id }) => id));
  const [surely, over] = [CERTAINLY_LISTED_DAYS, CERTAINLY_REMOVED_DAYS].map((days) =>
    formatDate(slot - days * DAY_SECONDS),
  );
  const announced = world.eventsAt(slot).filter(({ id, event_date: day }) => {
    if (surely !== undefined && day >= surely) return true;
    return over !== undefined && day >= over && listedIds.has(id);
  });
  const picture = (path: string) => (path === '' ? '' : networkUrl + path);
  const truth = announced.map((event) => ({
    ...event,
    game_image: picture(event.game_image),
    banner_url: picture(event.banner_url),
  }));
  expect(truth.length).toBeGreaterThan(0);
  expect(body.toSorted((a, b) => a.id - b.id)).toMatchObject(truth);
  expect(body.map(({ starts_at }) => starts_at)).toEqual(body.map(({ starts_at }) => starts_at).toSorted());
}

const BACKFILL_DAYS = 3;
const startedAt = Date.parse('2026-01-31T12:00:00Z') / 1000;
const backfilled = { from: startedAt - BACKFILL_DAYS * 86_400, to: startedAt };
const clock = fixedClock('2026-01-31T12:00:05Z');
// With this seed, a title with boards disappears in the past, and another board disappears and returns.
const simulator = createSimulator({
  ...{ clock, seed: 18, titles: 20, openMatches: 5 },
  ...{ boards: 120, entries: 3000, boardChanges: 0.1, design: designOfSeed(seedOfRun()) },
});
const { world } = simulator;
const titleIds = world.titlesAt(startedAt).map(({ titleId }) => titleId);

let url = '';
let networkUrl = '';
let stop: () => Promise<void> = () => Promise.resolve();

beforeAll(async () => {
  ({ url: networkUrl } = await simulator.start());
  const env = systemEnv(temporaryDirectory('file'), networkUrl, { BACKFILL_DAYS: String(BACKFILL_DAYS) });
  const system = createSystem(readStandaloneConfig(env), { clock, write: () => undefined });
  await system.start();
  stop = () => system.stop();
  url = system.url();
});

afterAll(async () => {
  await stop();
  await simulator.stop();
});

/** Waits until boards, past boards and the change log equal those of the simulator. */
async function expectBoardsAndChanges(pass: number): Promise<void> {
  const alike = async () => {
    for (const titleId of titleIds) await expectBoards(url, world, { titleId, pass });
    return expectChanges(url, world, { backfilled, now: pass });
  };
  expect(await eventually(alike, { everyMs: 250 })).toBeGreaterThan(500);
  const known = everyBoard(world, backfilled).filter(({ titleId }) => titleIds.includes(titleId));
  await expectPastBoards(url, world, known, backfilled);
}

/** Waits until each board was last read in this interval. */
async function expectReadTimes(when: { pass: number; from: number; to: number }, at?: string): Promise<void> {
  const areObserved = async () => {
    for (const titleId of titleIds) await expectBoardReadTimes(url, world, { titleId, ...when }, at);
  };
  await eventually(areObserved, { everyMs: 250 });
}

it('leaderboards, their read times, past days and changes match the network from backfill through live hours', async () => {
  await expectBoardsAndChanges(backfilled.to - BOARD_PASS_SECONDS);
  await expectReadTimes({ pass: startedAt - BOARD_PASS_SECONDS, ...backfilled, to: startedAt + SLOT_SECONDS });
  await waitForSlot(url, startedAt);
  await expectEvents(url, world, { slot: startedAt, networkUrl });

  const hour = startedAt + BOARD_PASS_SECONDS;
  await runThroughHour({ url, world }, hour, (now) => clock.advance(now - clock() / 1000));
  await expectBoardsAndChanges(hour);
  const read = { pass: hour, from: hour, to: hour + BOARD_PASS_SECONDS };
  await expectReadTimes(read, formatDate(hour));
  await eventually(() => expectEvents(url, world, { slot: hour + 2700, networkUrl }));
  // Cached responses have expired by then, although no fact was published for the readings: they do so within 30 s after
  // the next slot was expected.
  clock.advance(2 * SLOT_SECONDS);
  await expectReadTimes({ ...read, to: read.to + 2 * SLOT_SECONDS });
});
