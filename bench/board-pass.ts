import { BOARD_PASS_SECONDS, DAY_SECONDS, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { World } from '@lobbystats/simulator';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Benchmark, Finding } from './benchmark.ts';
import { BOARDS, boardWorld } from './board-world.ts';
import { startBoardReading, type BoardReading } from './board-reading.ts';
import { countWrites } from './counted-writes.ts';

const LIMIT_SECONDS = 60;
/** The right to say it, and what was said. */
const COLLECTOR_ROWS = 2;

/** An hour in which one board in a hundred is other than before: read by the collector, taken in by catalog-api. */
export const pass: Benchmark = {
  name: 'pass',
  about: `an hour's pass over ${BOARDS} boards of which 1 % changed, collector and catalog-api, on SQLite`,
  run: async (say) => {
    const directory = await mkdtemp(join(tmpdir(), 'lobbystats-pass-'));
    using writes = countWrites();
    const stack = new AsyncDisposableStack();
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    try {
      const reading = await startBoardReading(directory, stack);
      const world = boardWorld();
      // Noon: at midnight the simulated pages are all made anew.
      const noon = Math.floor(Date.now() / 1000 / DAY_SECONDS) * DAY_SECONDS - DAY_SECONDS / 2;
      const first = await readPass(reading, world, noon);
      say(`the first pass, which reads everything, took ${describe(first)}`);
      const changed = changesIn(world, noon + BOARD_PASS_SECONDS);
      writes.reset();
      const second = await readPass(reading, world, noon + BOARD_PASS_SECONDS);
      say(`the second one took ${describe(second)}; rows written:`);
      for (const [table, rows] of [...writes.rows].sort()) say(`  ${table} ${rows}`);
      return [cpuOf(second), ...rowsOf(writes.rows, changed)];
    } finally {
      await stack.disposeAsync();
    }
  },
};

interface Pass {
  cpuSeconds: number;
  seconds: number;
  requests: number;
}

/** All turns of a pass, one after another. */
async function readPass(reading: BoardReading, world: World, from: EpochSeconds): Promise<Pass> {
  await reading.list(world, from);
  const requestsBefore = await reading.requests();
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  for (let slot = from; slot < from + BOARD_PASS_SECONDS; slot += SLOT_SECONDS) await reading.turn(slot);
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    cpuSeconds: (user + system) / 1e6,
    seconds: (performance.now() - began) / 1000,
    requests: (await reading.requests()) - requestsBefore,
  };
}

/** The boards that are other than an hour before, and their rows then and now. */
function changesIn(world: World, from: EpochSeconds): { boards: number; rows: number } {
  const keys = world.boardChanges(from);
  const rowsAt = (at: EpochSeconds) => keys.map(({ titleId, id }) => world.board(at, titleId, id)?.entries.length ?? 0);
  const before = rowsAt(from - BOARD_PASS_SECONDS);
  const rows = rowsAt(from).reduce((sum, count, index) => sum + Math.max(count, before[index] ?? 0), 0);
  return { boards: keys.length, rows };
}

function cpuOf(second: Pass): Finding {
  return {
    what: "an hour's pass, CPU of collector and catalog-api",
    measured: describe(second),
    against: `${LIMIT_SECONDS} s of CPU`,
    ratio: second.cpuSeconds / LIMIT_SECONDS,
    bound: 1,
  };
}

function rowsOf(rows: ReadonlyMap<string, number>, changed: { boards: number; rows: number }): Finding[] {
  const written = (key: string, most: number, against: string): Finding => {
    const count = rows.get(key) ?? 0;
    return { what: `rows written to ${key}`, measured: String(count), against, ratio: count / most, bound: 1 };
  };
  const collectorMost = changed.boards * COLLECTOR_ROWS;
  return [
    written('catalog.sqlite board', changed.boards, `${changed.boards} boards that changed`),
    written('catalog.sqlite board_version', changed.boards, `${changed.boards} boards that changed`),
    written('catalog.sqlite entry', changed.rows, `the ${changed.rows} rows of the boards that changed`),
    written(
      'collector.sqlite board',
      collectorMost,
      `${COLLECTOR_ROWS} for each of ${changed.boards} boards that changed`,
    ),
  ];
}

function describe({ cpuSeconds, seconds, requests }: Pass): string {
  return `${cpuSeconds.toFixed(1)} s (${requests} requests, ${seconds.toFixed(0)} s by the clock)`;
}
