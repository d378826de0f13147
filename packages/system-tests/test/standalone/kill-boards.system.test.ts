import { BOARD_PASS_SECONDS, DAY_SECONDS, operations, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, getJson, temporaryDirectory } from '@lobbystats/test-kit';
import { expectBoards, expectPastBoards } from './expect-boards.ts';
import { expectChanges } from './expect-changes.ts';
import { startKillable, type KillableSystem } from './killable-system.ts';
import { systemEnv } from './run-system.ts';
import { runThroughHour } from './run-through-hour.ts';
import { everyBoard, referenceChanges } from './reference-changes.ts';

const BACKFILL_ROUNDS = 6;
const LIVE_ROUNDS = 8;
const startedAt = Date.parse('2026-01-31T12:00:00Z') / 1000;
const backfilled = { from: startedAt - DAY_SECONDS, to: startedAt };

let nowMs = startedAt * 1000;
const simulator = createSimulator({
  ...{ clock: () => nowMs, titles: 20, openMatches: 5 },
  ...{ boards: 120, entries: 3000, boardChanges: 0.5 },
});
const { world } = simulator;

afterAll(() => simulator.stop());

/** Starts the system one second after the time of the network. */
async function startSystem(directory: string, networkUrl: string): Promise<KillableSystem> {
  const env = { NETWORK_CLOCK_TOLERANCE_SECONDS: '1', BACKFILL_LEADERBOARD_DAYS: '1' };
  return startKillable(nowMs + 1000, systemEnv(directory, networkUrl, env));
}

/** The number of changes in the log. */
async function changeCount({ url }: KillableSystem): Promise<number> {
  const { body } = await getJson<{ total: number }>(`${url}${operations.listChanges.path}?limit=1`);
  return body.total;
}

/** Waits until the log has at least `least` changes. */
async function waitForChanges(system: KillableSystem, least: number, timeoutMs = 90_000): Promise<number> {
  return eventually(
    async () => {
      const total = await changeCount(system);
      expect(total).toBeGreaterThanOrEqual(least);
      return total;
    },
    { timeoutMs, everyMs: 5 },
  );
}

it('leaderboard changes are recorded exactly once when the process is killed during backfill and live hours', async () => {
  const directory = temporaryDirectory();
  const { url: networkUrl } = await simulator.start();
  const all = everyBoard(world, backfilled).flatMap((board) => referenceChanges(world, board, backfilled)).length;

  // Each round kills later in the backfill, and starts one slot later, because the killed process holds its lease for seconds.
  const seen: number[] = [];
  for (let round = 0; round < BACKFILL_ROUNDS; round += 1) {
    nowMs = (startedAt + round * SLOT_SECONDS) * 1000;
    const system = await startSystem(directory, networkUrl);
    seen.push(await waitForChanges(system, (round * all) / BACKFILL_ROUNDS));
    await system.kill();
  }
  expect(seen.filter((total) => total > 0 && total < all).length).toBeGreaterThan(2);

  // Then kills in the slots of an hour, up to 0.2 s after boards change.
  nowMs = (startedAt + BACKFILL_ROUNDS * SLOT_SECONDS) * 1000;
  let system = await startSystem(directory, networkUrl);
  let storedCount = await waitForChanges(system, all);
  await system.kill();
  let killedAmid = 0;
  for (let round = 0; round < LIVE_ROUNDS; round += 1) {
    nowMs = (startedAt + BOARD_PASS_SECONDS + round * SLOT_SECONDS) * 1000;
    system = await startSystem(directory, networkUrl);
    // A slot may have no changes.
    const now = await waitForChanges(system, storedCount + 1, 30_000).catch(() => storedCount);
    await system.kill((round * 83) % 211);
    if (now > storedCount) killedAmid += 1;
    storedCount = now;
  }
  expect(killedAmid).toBeGreaterThan(2);

  const hour = startedAt + 2 * BOARD_PASS_SECONDS;
  nowMs = hour * 1000;
  system = await startSystem(directory, networkUrl);
  const { url } = system;
  await runThroughHour({ url, world }, hour, (now) => {
    nowMs = now * 1000;
    system.setClock(nowMs);
  });
  const alike = async () => {
    for (const { titleId } of world.titlesAt(hour)) await expectBoards(url, world, { titleId, pass: hour });
    return expectChanges(url, world, { backfilled, now: hour });
  };
  expect(await eventually(alike, { everyMs: 250 })).toBeGreaterThan(all);
  const some = everyBoard(world, backfilled).filter((_, index) => index % 4 === 0);
  await expectPastBoards(url, world, some, backfilled);
  await system.kill();
});
