import { operations } from '@lobbystats/contracts';
import { requestOf, sendLoad, startLoad } from '../../../bench/peers/load.ts';
import { canMeasureProcesses } from '../../../bench/peers/own-process.ts';
import { quantile } from '../abuse/timing.ts';
import { LeftOut, type LoneDrill } from '../drill.ts';
import { healthyAgain } from '../run-drill.ts';
import { openStandalone } from '../stages/standalone-stage.ts';

const SECONDS = 8;
const TIMES = 10;
const GOODPUT = 0.8;
const REFUSED_WITHIN_MS = 50;
const PEAK_CONNECTIONS = 32;
/** All of them new: a crowd comes. None has nothing to say for a second: it would be hung up on. */
const CONNECTIONS = 2000;
/** One in which a search costs what it does in a network that is used. */
const WORLD = { titles: 40, boards: 240, entries: 24_000 };
/** Each another one: nothing that is kept answers it, and nobody shares it while it is made. */
const SEARCHES = 50_000;

export const overload: LoneDrill = {
  number: 14,
  name: 'ten times as much as it can do',
  on: 'its own',
  run: async () => {
    // What sends so much would take the time of what is to answer.
    if (!canMeasureProcesses(() => undefined)) throw new LeftOut('it needs Linux with `taskset` and two cores');
    const stack = new AsyncDisposableStack();
    try {
      const stage = await openStandalone({ world: WORLD });
      stack.defer(() => stage.close());
      const load = startLoad(stack);
      const each = { port: Number(new URL(stage.url).port), seconds: SECONDS, status: 200, requests };
      const most = await sendLoad(load, { ...each, connections: PEAK_CONNECTIONS });
      const peak = most.answers / most.seconds;
      const perSecond = Math.round(peak * TIMES);
      const connections = Math.min(CONNECTIONS, perSecond);
      const much = await sendLoad(load, { ...each, connections, refusal: 503, perSecond });
      const good = much.answers / much.seconds;
      const refusals = much.latenciesMs.filter((_, index) => much.refused[index]);
      const [half, nearlyAll] = [quantile(refusals, 0.5), quantile(refusals, 0.99)];
      const measured = `peak ${peak.toFixed(0)} a second; offered ${perSecond} a second over ${connections} connections: ${good.toFixed(0)} a second answered (${((100 * good) / peak).toFixed(0)} %), ${refusals.length} of ${much.latenciesMs.length} refused, half of them after ${half.toFixed(0)} ms, p99 ${nearlyAll.toFixed(0)} ms; the last answer came ${(much.seconds - SECONDS).toFixed(1)} s after the last request`;
      if (good < GOODPUT * peak || half > REFUSED_WITHIN_MS) throw new Error(measured);
      return [measured, await healthyAgain(stage)];
    } finally {
      await stack.disposeAsync();
    }
  },
};

const requests = Array.from({ length: SEARCHES }, (_, index) => {
  const time = `${index % 9}:${String(index % 60).padStart(2, '0')}.${String(index % 997).padStart(3, '0')}`;
  return requestOf(`${operations.searchByTime.path}?time=${time}&tolerance=60000&limit=500`);
});
