import { formatTimestamp, MATCH_GAP_SECONDS, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, getJson, repetitions, temporaryDirectory, cleanUp } from '@lobbystats/test-kit';
import { expectSiteSeries, expectTitleSeries, simulatedSlots } from './expect-series.ts';
import { type ServiceProcess, startProcess } from './service-process.ts';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A line that the process prints: its URL once it is ready, and the progress of the backfill. */
interface SystemEvent {
  readonly url?: string;
  readonly fill?: { readonly doneSlots: number; readonly totalSlots: number };
}

/** As npm scripts do it, since stripping the types of all sources takes a third of a start. */
const PREPARE_NODE = join(import.meta.dirname, '../../../service-kit/src/process/prepare-node.cjs');

/** Starts the standalone system. Its clock begins at `beginMs`. It is killed at the end of the test file. */
function spawnSystem(beginMs: number, env: Readonly<Record<string, string>>): ServiceProcess {
  const system = startProcess('packages/system-tests/test/standalone/fixtures/run-system-main.ts', {
    env,
    args: [String(beginMs)],
    nodeArgs: ['-r', PREPARE_NODE],
  });
  cleanUp(() => system.stop('SIGKILL'), 'file');
  return system;
}

async function* eventsOf({ child }: ServiceProcess): AsyncGenerator<SystemEvent> {
  for await (const line of createInterface({ input: child.stdout! })) yield JSON.parse(line) as SystemEvent;
}

/** Resolves when the system is ready. @throws Error when it ends before */
function urlOf(system: ServiceProcess): Promise<string> {
  return system.waitForOutput(/"url":"([^"]+)"/);
}

const BACKFILL_DAYS = 10;
const ROUNDS = repetitions(8);
const firstSlot = Date.parse('2026-01-31T12:00:00Z') / 1000;

let nowMs = firstSlot * 1000;
const simulator = createSimulator({ clock: () => nowMs, titles: 40, openMatches: 30, boards: 40, entries: 1000 });

afterAll(() => simulator.stop());

/** Starts the system two seconds into a slot. */
function startSystem(directory: string, networkUrl: string): ServiceProcess {
  return spawnSystem(nowMs, {
    DATA_DIR: directory,
    NETWORK_URL: networkUrl,
    NETWORK_ORIGIN: 'simulated',
    BACKFILL_DAYS: String(BACKFILL_DAYS),
    PORT: '0',
    METRICS_PORT: '0',
  });
}

/** Decides from an event and the number of events so far whether to kill the process. */
type KillCondition = (event: SystemEvent, count: number) => boolean;

/** Kills a system `moreMs` after the condition is met. Resolves to the number of backfilled slots. */
async function runAndKill(system: ServiceProcess, moment: KillCondition, moreMs: number): Promise<number> {
  let doneSlots = 0;
  let count = 0;
  let killing: Promise<void> | undefined;
  for await (const event of eventsOf(system)) {
    count += 1;
    doneSlots = Math.max(doneSlots, event.fill?.doneSlots ?? 0);
    if (moment(event, count)) killing ??= system.kill(moreMs);
  }
  await system.stop('SIGKILL');
  return doneSlots;
}

it('series and matches stay complete and correct when the process is killed during backfill and live slots', async () => {
  const directory = temporaryDirectory();
  const { url: networkUrl } = await simulator.start();
  const filled: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    nowMs = (firstSlot + round * SLOT_SECONDS) * 1000 + 2000;
    const before = filled.at(-1) ?? 0;
    // Kills after the first event, in live slots or between backfill chunks, plus up to 0.2 s.
    const moments: KillCondition[] = [
      (_, count) => count > 1,
      ({ url }) => url !== undefined,
      ({ fill }) => (fill?.doneSlots ?? 0) > before,
      ({ url }) => url !== undefined,
    ];
    filled.push(await runAndKill(startSystem(directory, networkUrl), moments[round % 4]!, (round * 83) % 211));
  }
  // Several kills must happen during the backfill.
  expect(filled.filter((slots) => slots > 0 && slots < BACKFILL_DAYS * 288).length).toBeGreaterThan(2);
  nowMs = (firstSlot + ROUNDS * SLOT_SECONDS) * 1000 + 2000;
  const lastSlot = firstSlot + ROUNDS * SLOT_SECONDS;
  const system = startSystem(directory, networkUrl);
  try {
    const url = await urlOf(system);
    const truth = simulatedSlots(simulator.world, firstSlot - BACKFILL_DAYS * 86_400, lastSlot);
    const backfillSlotCount = BACKFILL_DAYS * 288;

    const online = await eventually(
      async () => {
        const { body } = await getJson(`${url}/api/service-stats/online-24h?days=30`);
        const points = body as { recorded_at: string; online_count: number }[];
        expect(points.length).toBeGreaterThanOrEqual(backfillSlotCount + 1);
        expect(points.at(-1)?.recorded_at).toBe(formatTimestamp(lastSlot));
        return points;
      },
      { timeoutMs: 120_000 },
    );
    const times = online.map((point) => point.recorded_at);
    expect(new Set(times).size).toBe(times.length);
    const filled = [...truth.keys()].slice(0, backfillSlotCount);
    expect(times.slice(0, backfillSlotCount)).toEqual(filled);

    const collected = new Set(await expectSiteSeries(url, truth));
    // Compares only matches that ended early enough before the first live slot to be entirely backfilled.
    const horizon = formatTimestamp(firstSlot - MATCH_GAP_SECONDS - SLOT_SECONDS);
    const busiest = [...(truth.get(formatTimestamp(lastSlot))?.titles ?? [])].sort((a, b) => b.online - a.online);
    for (const { titleId } of busiest.slice(0, 5)) {
      await expectTitleSeries(url, titleId, { truth, collected, horizon });
    }
  } finally {
    await system.stop('SIGKILL');
  }
});
