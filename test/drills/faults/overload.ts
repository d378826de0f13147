import { operations } from '@lobbystats/contracts';
import { requestOf, sendLoad, startLoad } from '../../../bench/peers/load.ts';
import { canMeasureProcesses } from '../../../bench/peers/own-process.ts';
import { littleProcessor } from './little-processor.ts';
import { quantile } from '../abuse/timing.ts';
import { LeftOut, type StackDrill } from '../drill.ts';

const SECONDS = 10;
const TIMES = 10;
const GOODPUT = 0.8;
const REFUSED_WITHIN_MS = 50;
const PEAK_CONNECTIONS = 16;
/** Until code is compiled that has to be: with a part of a processor that would take long. */
const WARM_SECONDS = 4;
/** All of them new: a crowd comes. None has nothing to say for a second: it would be hung up on. */
const CONNECTIONS = 2000;
/** What catalog-api gets of a processor: it is what there is too little of, not the machine that all of this shares. */
const PROCESSOR = 0.5;

export const overload: StackDrill = {
  number: 14,
  name: 'ten times as much as it can do',
  on: 'stack',
  run: async (stage) => {
    // What sends so much would take the time of what is to answer.
    if (!canMeasureProcesses(() => undefined)) throw new LeftOut('it needs Linux with `taskset` and two cores');
    await using stack = new AsyncDisposableStack();
    const load = startLoad(stack);
    const each = { port: Number(new URL(stage.url).port), seconds: SECONDS, status: 200, refusal: 503 };
    const [warming, asked, others] = [0, 1, 2].map(searches) as [string[], string[], string[]];
    const few = { ...each, connections: PEAK_CONNECTIONS };
    await sendLoad(load, { ...few, seconds: WARM_SECONDS, requests: warming });
    await littleProcessor(stage, stack, 'catalog-api', PROCESSOR);
    const most = await sendLoad(load, { ...few, requests: asked });
    const peak = most.answers / most.seconds;
    const perSecond = Math.round(peak * TIMES);
    const connections = Math.min(CONNECTIONS, perSecond);
    // What was answered is kept: the crowd asks for something else.
    const much = await sendLoad(load, { ...each, connections, perSecond, requests: others });
    const goodput = much.answers / much.seconds;
    const refusals = much.latenciesMs.filter((_, index) => much.refused[index]);
    const [halfMs, nearlyAllMs] = [quantile(refusals, 0.5), quantile(refusals, 0.99)];
    const measured = `with ${PROCESSOR} of a processor for catalog-api: peak ${peak.toFixed(0)} a second; offered ${perSecond} a second over ${connections} connections: ${goodput.toFixed(0)} a second answered (${((100 * goodput) / peak).toFixed(0)} %), ${refusals.length} of ${much.latenciesMs.length} refused, half of them after ${halfMs.toFixed(0)} ms, p99 ${nearlyAllMs.toFixed(0)} ms; the last answer came ${(much.seconds - SECONDS).toFixed(1)} s after the last request`;
    if (goodput < GOODPUT * peak || halfMs > REFUSED_WITHIN_MS) throw new Error(measured);
    return [measured];
  },
};

/** Those of a minute: each another one, by a thousandth of a second, so that nothing that is kept answers it, and nobody shares it. */
function searches(minute: number): string[] {
  return Array.from({ length: 60_000 }, (_, ms) => {
    const seconds = (ms / 1000).toFixed(3).padStart(6, '0');
    return requestOf(`${operations.searchByTime.path}?time=${minute}:${seconds}&tolerance=60000&limit=500`);
  });
}
