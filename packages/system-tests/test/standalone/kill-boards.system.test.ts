import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { BOARD_PASS_SECONDS, DAY_SECONDS, operations, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, getJson, temporaryDirectory } from '@lobbystats/test-kit';
import { expectBoards, expectPastBoards } from './expect-boards.ts';
import { expectChanges } from './expect-changes.ts';
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

const running = new Set<ChildProcess>();

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await simulator.stop();
});

interface RunningSystem {
  process: ChildProcess;
  url: string;
}

/** Starts the system as a child process, one second after the time of the network. */
async function startSystem(directory: string, networkUrl: string): Promise<RunningSystem> {
  const env = {
    DATA_DIR: directory,
    NETWORK_URL: networkUrl,
    NETWORK_ORIGIN: 'simulated',
    NETWORK_CLOCK_TOLERANCE_SECONDS: '1',
    BACKFILL_DAYS: '0',
    BACKFILL_REGISTERED_DAYS: '0',
    BACKFILL_LEADERBOARD_DAYS: '1',
    BACKFILL_PLAY_TIME_DAYS: '0',
    COLLECTOR_MAX_RPS: '500',
    PORT: '0',
    METRICS_PORT: '0',
  };
  const main = join(import.meta.dirname, 'fixtures/run-system-main.ts');
  const child = spawn(process.execPath, [main, String(nowMs + 1000)], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  running.add(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line) as { url?: string };
    if (url !== undefined) return { process: child, url };
  }
  throw new Error('the system ended before it was ready');
}

/** Sends SIGKILL after `inMs` and waits for the exit. */
async function kill({ process: child }: RunningSystem, inMs = 0): Promise<void> {
  const exitEvent = once(child, 'exit');
  setTimeout(() => child.kill('SIGKILL'), inMs);
  await exitEvent;
  running.delete(child);
}

/** The number of changes in the log. */
async function changeCount({ url }: RunningSystem): Promise<number> {
  const { body } = await getJson<{ total: number }>(`${url}${operations.listChanges.path}?limit=1`);
  return body.total;
}

/** Waits until the log has at least `least` changes. */
async function waitForChanges(system: RunningSystem, least: number, timeoutMs = 30_000): Promise<number> {
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
    await kill(system);
  }
  expect(seen.filter((total) => total > 0 && total < all).length).toBeGreaterThan(2);

  // Then kills in the slots of an hour, up to 0.2 s after boards change.
  nowMs = (startedAt + BACKFILL_ROUNDS * SLOT_SECONDS) * 1000;
  let system = await startSystem(directory, networkUrl);
  let storedCount = await waitForChanges(system, all);
  await kill(system);
  let killedAmid = 0;
  for (let round = 0; round < LIVE_ROUNDS; round += 1) {
    nowMs = (startedAt + BOARD_PASS_SECONDS + round * SLOT_SECONDS) * 1000;
    system = await startSystem(directory, networkUrl);
    // A slot may have no changes.
    const now = await waitForChanges(system, storedCount + 1, 4000).catch(() => storedCount);
    await kill(system, (round * 83) % 211);
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
    system.process.stdin?.write(`${nowMs}\n`);
  });
  const alike = async () => {
    for (const { titleId } of world.titlesAt(hour)) await expectBoards(url, world, { titleId, pass: hour });
    return expectChanges(url, world, { backfilled, now: hour });
  };
  expect(await eventually(alike, { everyMs: 250 })).toBeGreaterThan(all);
  const some = everyBoard(world, backfilled).filter((_, index) => index % 4 === 0);
  await expectPastBoards(url, world, some, backfilled);
  await kill(system);
});
