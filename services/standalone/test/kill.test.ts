import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { formatTimestamp, MATCH_GAP_SECONDS, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, getJson, temporaryDirectory } from '@lobbystats/test-kit';
import { expectSiteLikeTruth, expectTitleLikeTruth, truthOf } from './like-truth.ts';

const FILL_DAYS = 20;
const ROUNDS = 20;
const firstSlot = Date.parse('2026-01-31T12:00:00Z') / 1000;

let nowMs = firstSlot * 1000;
const simulator = createSimulator({ clock: () => nowMs, titles: 40, openMatches: 30, boards: 40, entries: 1000 });

afterAll(() => simulator.stop());

/** A system in a process of its own, started two seconds into a slot. */
function startSystem(directory: string, networkUrl: string): ChildProcess {
  const env = {
    DATA_DIR: directory,
    NETWORK_URL: networkUrl,
    NETWORK_ORIGIN: 'simulated',
    FILL_DAYS: String(FILL_DAYS),
    FILL_REGISTERED_DAYS: '3',
    FILL_BOARD_DAYS: '1',
    FILL_PLAYER_DAYS: '0',
    PORT: '0',
    METRICS_PORT: '0',
  };
  const main = join(import.meta.dirname, 'fixtures/run-system-main.ts');
  return spawn(process.execPath, [main, String(nowMs)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

interface Event {
  url?: string;
  fill?: { doneSlots: number; totalSlots: number };
}

/** Whether the moment to kill has come: told of each thing that the system says, and how many it has said. */
type Moment = (event: Event, count: number) => boolean;

/** Lets a system run until a moment, then some milliseconds more, and kills it. Resolves to what it had filled by then. */
async function runAndKill(child: ChildProcess, moment: Moment, moreMs: number): Promise<number> {
  let doneSlots = 0;
  let count = 0;
  const timer = new AbortController();
  for await (const line of createInterface({ input: child.stdout! })) {
    const event = JSON.parse(line) as Event;
    count += 1;
    doneSlots = Math.max(doneSlots, event.fill?.doneSlots ?? 0);
    if (moment(event, count) && !timer.signal.aborted) {
      timer.abort();
      setTimeout(() => child.kill('SIGKILL'), moreMs);
    }
  }
  await gone(child);
  return doneSlots;
}

async function gatewayUrl(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const { url } = JSON.parse(line) as Event;
    if (url !== undefined) return url;
  }
  throw new Error('the system ended before it was ready');
}

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

it('loses nothing and makes nothing up when it is killed at any moment of a fill and of live slots', async () => {
  const directory = temporaryDirectory();
  const { url: networkUrl } = await simulator.start();
  const filled: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    nowMs = (firstSlot + round * SLOT_SECONDS) * 1000 + 2000;
    // From the first thing that is said, through the fill's chunks, to live slots; then up to a fifth of a second more.
    const moment: Moment = round % 2 === 0 ? (_, count) => count > 1 + (round % 4) / 2 : ({ url }) => url !== undefined;
    filled.push(await runAndKill(startSystem(directory, networkUrl), moment, (round * 83) % 211));
  }
  // The fill is long enough for several kills to fall into it.
  expect(filled.filter((slots) => slots > 0 && slots < FILL_DAYS * 288).length).toBeGreaterThan(2);
  nowMs = (firstSlot + ROUNDS * SLOT_SECONDS) * 1000 + 2000;
  const lastSlot = firstSlot + ROUNDS * SLOT_SECONDS;
  const child = startSystem(directory, networkUrl);
  try {
    const url = await gatewayUrl(child);
    const truth = truthOf(simulator.world, firstSlot - FILL_DAYS * 86_400, lastSlot);
    const fromFill = FILL_DAYS * 288;

    const online = await eventually(
      async () => {
        const { body } = await getJson(`${url}/api/service-stats/online-24h?days=30`);
        const points = body as { recorded_at: string; online_count: number }[];
        expect(points.length).toBeGreaterThanOrEqual(fromFill + 1);
        expect(points.at(-1)?.recorded_at).toBe(formatTimestamp(lastSlot));
        return points;
      },
      { timeoutMs: 30_000 },
    );
    const times = online.map((point) => point.recorded_at);
    expect(new Set(times).size).toBe(times.length);
    const filled = [...truth.keys()].slice(0, fromFill);
    expect(times.slice(0, fromFill)).toEqual(filled);

    const collected = new Set(await expectSiteLikeTruth(url, truth));
    // Matches that the fill alone knows: they ended long enough before the first live slot to be the same in both.
    const horizon = formatTimestamp(firstSlot - MATCH_GAP_SECONDS - SLOT_SECONDS);
    const busiest = [...(truth.get(formatTimestamp(lastSlot))?.titles ?? [])].sort((a, b) => b.online - a.online);
    for (const { titleId } of busiest.slice(0, 5)) {
      await expectTitleLikeTruth(url, titleId, { truth, collected, horizon });
    }
  } finally {
    child.kill('SIGKILL');
    await gone(child);
  }
}, 180_000);
