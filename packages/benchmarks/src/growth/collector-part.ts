import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { collectorService } from '@lobbystats/collector';
import { BOARD_PASS_SECONDS, formatInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { openBus } from '@lobbystats/message-bus';
import { silentLogger } from '@lobbystats/service-kit';
import { median } from '../benchmark.ts';
import { cpuSecondsOf, startProgram } from '../peers/bench-process.ts';
import { cpuOf, ownCpuMs } from './cost.ts';
import type { Part } from './part.ts';
import { networkOf } from './scale.ts';

/** Above what the processor can do: the rate limit is a setting of its own. */
const REQUESTS_PER_SECOND = 2000;
const POLL_MS = 50;
/** A twelfth of the leaderboards is read in each slot. */
const SLOTS_PER_PASS = BOARD_PASS_SECONDS / SLOT_SECONDS;
const SLOTS = 3;

/** The collector: slots, metadata of titles, and leaderboards. Includes its parser processes. */
export const collectorPart: Part = {
  forms: ['standalone'],
  run: async ({ scale, stack, measure, say }) => {
    const simulator = startProgram('../growth/simulator-main.ts', 'any', stack);
    const url = (await simulator.request(networkOf(scale))) as string;
    const directory = await mkdtemp(join(tmpdir(), 'lobbystats-growth-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const path = join(directory, 'collector.sqlite');

    const pass = Math.floor(Date.now() / 1000 / BOARD_PASS_SECONDS) * BOARD_PASS_SECONDS - 6 * BOARD_PASS_SECONDS;
    let offsetMs = 0;
    const clock = () => Date.now() + offsetMs;
    const setClock = async (slot: number) => {
      const body = JSON.stringify({ now: formatInstant(slot), rate: 1 });
      const headers = { 'content-type': 'application/json' };
      await fetch(`${url}/simulator/clock`, { method: 'PUT', headers, body });
      offsetMs = slot * 1000 - Date.now();
    };
    const requests = async () => ((await (await fetch(`${url}/simulator/requests`)).json()) as { total: number }).total;

    const bus = await openBus({ url: 'memory:', origin: 'simulated', clock });
    stack.defer(() => bus.close());
    const config = collectorService.readConfig({
      ...{ NETWORK_URL: url, NETWORK_ORIGIN: 'simulated', NETWORK_CLOCK_TOLERANCE_SECONDS: '0' },
      ...{
        DATABASE_URL: `sqlite:${path}`,
        COLLECTOR_MAX_RPS: String(REQUESTS_PER_SECOND),
        PORT: '0',
        METRICS_PORT: '0',
      },
      ...{
        BACKFILL_DAYS: '0',
        BACKFILL_REGISTERED_DAYS: '0',
        BACKFILL_LEADERBOARD_DAYS: '0',
        BACKFILL_PLAY_TIME_DAYS: '0',
      },
    });
    await setClock(pass);
    const collector = await collectorService.create(config, { bus, clock, logger: silentLogger() });
    stack.defer(() => collector.stop());
    const untilIdle = async () => {
      await collector.tick();
      while ((await bus.depth('collector')) > 0) await wait(POLL_MS);
    };
    const run = async (slot: number, work = untilIdle) => {
      await setClock(slot);
      const before = await requests();
      const ms = await cpuOf(work, () => ownCpuMs() + parsersCpuMs(simulator.pid));
      return { ms, requests: (await requests()) - before };
    };

    const first = await run(pass, async () => {
      await collector.start();
      await untilIdle();
    });
    const titles = { what: 'titles', count: scale.titles };
    measure('a first slot: all title pages', { unit: 'CPU ms', amount: first.ms, per: titles });
    const boards = { what: 'leaderboards', count: scale.boards / SLOTS_PER_PASS };
    const runSlots = async (begin: number) => {
      const slots = [];
      for (let index = 0; index < SLOTS; index += 1) slots.push(await run(begin + index * SLOT_SECONDS));
      return { ms: median(slots.map(({ ms }) => ms)), requests: median(slots.map((slot) => slot.requests)) };
    };
    const whole = await runSlots(pass + BOARD_PASS_SECONDS);
    measure('a slot, 1/12 of the leaderboards read whole', { unit: 'CPU ms', amount: whole.ms, per: boards });
    measure('its requests', { unit: 'requests', amount: whole.requests, per: boards });
    // Each hour a group of leaderboards is due one slot later.
    const again = await runSlots(pass + 2 * BOARD_PASS_SECONDS + SLOT_SECONDS);
    measure('the same an hour later: 1 % changed', { unit: 'CPU ms', amount: again.ms, per: boards });
    measure('its requests then', { unit: 'requests', amount: again.requests, per: boards });
    const each = ({ ms, requests: count }: typeof whole) => `${(ms / count).toFixed(2)} ms`;
    say(`CPU per request: ${each(whole)} whole, ${each(again)} unchanged`);
    const { lastSlot } = collector.status;
    say(`${lastSlot?.titles} titles, ${lastSlot?.active} played, ${lastSlot?.missing} missing`);
    measure('disk of the collector', { unit: 'MB', amount: (await stat(path)).size / 1e6, per: titles });
  },
};

/** Processor time of all child processes but one. */
function parsersCpuMs(besides: number): number {
  const threads = readdirSync('/proc/self/task');
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim().split(' '),
  );
  return children
    .map(Number)
    .filter((pid) => pid > 0 && pid !== besides)
    .reduce((sum, pid) => sum + 1000 * cpuSecondsOf(pid), 0);
}
