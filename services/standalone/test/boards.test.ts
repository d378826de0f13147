import { BOARD_PASS_SECONDS, formatDate, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, fixedClock, temporaryDirectory } from '@lobbystats/test-kit';
import { readStandaloneConfig } from '../src/config.ts';
import { createSystem } from '../src/system.ts';
import { expectBoardsLikeTruth, expectBoardsObserved, expectPastBoardsLikeTruth } from './boards-like-truth.ts';
import { expectChangesLikeTruth } from './changes-like-truth.ts';
import { expectEventsLikeTruth } from './events-like-truth.ts';
import { liveThroughHour, slotIsThere } from './live-hour.ts';
import { everyBoard } from './reference-changes.ts';

const FILL_DAYS = 3;
const startedAt = Date.parse('2026-01-31T12:00:00Z') / 1000;
const filled = { from: startedAt - FILL_DAYS * 86_400, to: startedAt };
const clock = fixedClock('2026-01-31T12:00:05Z');
// In this one's past a title ends with its boards, and another board goes and comes back.
const simulator = createSimulator({
  ...{ clock, seed: 18, titles: 20, openMatches: 5 },
  ...{ boards: 120, entries: 3000, boardChanges: 0.1 },
});
const { world } = simulator;
const titleIds = world.titlesAt(startedAt).map(({ titleId }) => titleId);

let url = '';
let networkUrl = '';
let stop: () => Promise<void> = () => Promise.resolve();

beforeAll(async () => {
  ({ url: networkUrl } = await simulator.start());
  const config = readStandaloneConfig({
    DATA_DIR: temporaryDirectory(),
    NETWORK_URL: networkUrl,
    NETWORK_ORIGIN: 'simulated',
    NETWORK_CLOCK_TOLERANCE_SECONDS: '0',
    FILL_DAYS: '0',
    FILL_REGISTERED_DAYS: '0',
    FILL_BOARD_DAYS: String(FILL_DAYS),
    FILL_PLAYER_DAYS: '0',
    COLLECTOR_MAX_RPS: '500',
    PORT: '0',
    METRICS_PORT: '0',
  });
  const system = createSystem(config, { clock, write: () => undefined });
  await system.start();
  stop = () => system.stop();
  url = system.url();
}, 30_000);

afterAll(async () => {
  await stop();
  await simulator.stop();
});

/** Fails unless boards, those of days and the log are the truth in the end, and nothing but it. */
async function expectLikeTruth(pass: number): Promise<void> {
  const alike = async () => {
    for (const titleId of titleIds) await expectBoardsLikeTruth(url, world, { titleId, pass });
    return expectChangesLikeTruth(url, world, { filled, now: pass });
  };
  expect(await eventually(alike, { timeoutMs: 60_000, everyMs: 250 })).toBeGreaterThan(500);
  const known = everyBoard(world, filled).filter(({ titleId }) => titleIds.includes(titleId));
  await expectPastBoardsLikeTruth(url, world, known, filled);
}

/** Fails unless each board was last read within these instants, in the end. */
async function expectObserved(when: { pass: number; from: number; to: number }, at?: string): Promise<void> {
  const areObserved = async () => {
    for (const titleId of titleIds) await expectBoardsObserved(url, world, { titleId, ...when }, at);
  };
  await eventually(areObserved, { timeoutMs: 60_000, everyMs: 250 });
}

it('knows boards, when they were last read, those of past days, and each change once, as the network had them, from the fill on to the live hours', async () => {
  await expectLikeTruth(filled.to - BOARD_PASS_SECONDS);
  await expectObserved({ pass: startedAt - BOARD_PASS_SECONDS, ...filled, to: startedAt + SLOT_SECONDS });
  await slotIsThere(url, startedAt);
  await expectEventsLikeTruth(url, world, { slot: startedAt, networkUrl });

  const hour = startedAt + BOARD_PASS_SECONDS;
  await liveThroughHour(url, hour, (now) => clock.advance(now - clock() / 1000));
  await expectLikeTruth(hour);
  const read = { pass: hour, from: hour, to: hour + BOARD_PASS_SECONDS };
  await expectObserved(read, formatDate(hour));
  await eventually(() => expectEventsLikeTruth(url, world, { slot: hour + 2700, networkUrl }));
  // Cached answers have expired by then, though no fact has told of the readings.
  clock.advance(SLOT_SECONDS);
  await expectObserved({ ...read, to: read.to + SLOT_SECONDS });
}, 240_000);
