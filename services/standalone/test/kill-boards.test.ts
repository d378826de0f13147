import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { BOARD_PASS_SECONDS, DAY_SECONDS, operations, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, getJson, temporaryDirectory } from '@lobbystats/test-kit';
import { expectBoardsLikeTruth, expectPastBoardsLikeTruth } from './boards-like-truth.ts';
import { expectChangesLikeTruth } from './changes-like-truth.ts';
import { liveThroughHour } from './live-hour.ts';
import { everyBoard, referenceChanges } from './reference-changes.ts';

const FILL_ROUNDS = 6;
const LIVE_ROUNDS = 8;
const startedAt = Date.parse('2026-01-31T12:00:00Z') / 1000;
const filled = { from: startedAt - DAY_SECONDS, to: startedAt };

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

/** A system in a process of its own, a second after the network's time. */
async function startSystem(directory: string, networkUrl: string): Promise<RunningSystem> {
  const env = {
    DATA_DIR: directory,
    NETWORK_URL: networkUrl,
    NETWORK_ORIGIN: 'simulated',
    NETWORK_CLOCK_TOLERANCE_SECONDS: '1',
    FILL_DAYS: '0',
    FILL_REGISTERED_DAYS: '0',
    FILL_BOARD_DAYS: '1',
    FILL_PLAYER_DAYS: '0',
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

/** `kill -9`, some milliseconds from now. */
async function kill({ process: child }: RunningSystem, inMs = 0): Promise<void> {
  const gone = once(child, 'exit');
  setTimeout(() => child.kill('SIGKILL'), inMs);
  await gone;
  running.delete(child);
}

/** How many changes the log has. */
async function changesOf({ url }: RunningSystem): Promise<number> {
  const { body } = await getJson<{ total: number }>(`${url}${operations.listChanges.path}?limit=1`);
  return body.total;
}

/** Waits until the log has so many changes. */
async function hasChanges(system: RunningSystem, least: number, timeoutMs = 30_000): Promise<number> {
  return eventually(
    async () => {
      const total = await changesOf(system);
      expect(total).toBeGreaterThanOrEqual(least);
      return total;
    },
    { timeoutMs, everyMs: 5 },
  );
}

it('tells exactly the changes of one run, when it is killed again and again in the boards’ past and in live hours', async () => {
  const directory = temporaryDirectory();
  const { url: networkUrl } = await simulator.start();
  const all = everyBoard(world, filled).flatMap((board) => referenceChanges(world, board, filled)).length;

  // Each time a bit further into the fill; and a slot later, as whoever was killed keeps the lease for some seconds.
  const seen: number[] = [];
  for (let round = 0; round < FILL_ROUNDS; round += 1) {
    nowMs = (startedAt + round * SLOT_SECONDS) * 1000;
    const system = await startSystem(directory, networkUrl);
    seen.push(await hasChanges(system, (round * all) / FILL_ROUNDS));
    await kill(system);
  }
  expect(seen.filter((total) => total > 0 && total < all).length).toBeGreaterThan(2);

  // Then in the slots of an hour: as boards change, and up to a fifth of a second later.
  nowMs = (startedAt + FILL_ROUNDS * SLOT_SECONDS) * 1000;
  let system = await startSystem(directory, networkUrl);
  let told = await hasChanges(system, all);
  await kill(system);
  let killedAmid = 0;
  for (let round = 0; round < LIVE_ROUNDS; round += 1) {
    nowMs = (startedAt + BOARD_PASS_SECONDS + round * SLOT_SECONDS) * 1000;
    system = await startSystem(directory, networkUrl);
    // There may be nothing to tell in a slot.
    const now = await hasChanges(system, told + 1, 4000).catch(() => told);
    await kill(system, (round * 83) % 211);
    if (now > told) killedAmid += 1;
    told = now;
  }
  expect(killedAmid).toBeGreaterThan(2);

  const hour = startedAt + 2 * BOARD_PASS_SECONDS;
  nowMs = hour * 1000;
  system = await startSystem(directory, networkUrl);
  const { url } = system;
  await liveThroughHour(url, hour, (now) => {
    nowMs = now * 1000;
    system.process.stdin?.write(`${nowMs}\n`);
  });
  const alike = async () => {
    for (const { titleId } of world.titlesAt(hour)) await expectBoardsLikeTruth(url, world, { titleId, pass: hour });
    return expectChangesLikeTruth(url, world, { filled, now: hour });
  };
  expect(await eventually(alike, { timeoutMs: 30_000, everyMs: 250 })).toBeGreaterThan(all);
  const some = everyBoard(world, filled).filter((_, index) => index % 4 === 0);
  await expectPastBoardsLikeTruth(url, world, some, filled);
  await kill(system);
}, 240_000);
