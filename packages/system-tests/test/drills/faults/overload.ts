import { operations } from '@lobbystats/contracts';
import { requestOf, sendLoad, startLoad, type Load } from '../../benchmarks/peers/load.ts';
import { canMeasureProcesses } from '../../benchmarks/peers/bench-process.ts';
import { cpuLimited, type Fault } from '../inject.ts';
import { quantile } from '../abuse/timing.ts';
import type { Stage } from '../stages/stage.ts';
import { SkippedError, type StackDrill } from '../drill.ts';

const SECONDS = 10;
const OVERLOAD_FACTOR = 10;
const MIN_GOODPUT = 0.8;
const REFUSED_WITHIN_MS = 50;
const PEAK_CONNECTIONS = 16;
/** New connections; each sends at least one request per second, or it would be closed as idle. */
const CONNECTIONS = 2000;
/** CPU share of catalog-api, so that it is the bottleneck and not the shared machine. */
const CPU_SHARE = 0.5;

export const overload: StackDrill = {
  number: 14,
  name: 'ten times the capacity of a service',
  on: 'stack',
  prepare: async (stage) => {
    // The load generator needs its own core.
    if (!canMeasureProcesses(() => undefined)) throw new SkippedError('it needs Linux with `taskset` and two cores');
    await using stack = new AsyncDisposableStack();
    await sendLoad(startLoad(stack), { ...loadOf(stage), connections: PEAK_CONNECTIONS, requests: searches(0) });
  },
  run: async (stage) => {
    await using stack = new AsyncDisposableStack();
    const load = startLoad(stack);
    const each = loadOf(stage);
    const [asked, others] = [1, 2].map(searches) as [string[], string[]];
    await manyAddresses(stage, stack);
    await cpuLimited('catalog-api', CPU_SHARE)(stage, stack);
    const most = await sendLoad(load, { ...each, connections: PEAK_CONNECTIONS, requests: asked });
    const peak = most.responses / most.seconds;
    const perSecond = Math.round(peak * OVERLOAD_FACTOR);
    const connections = Math.min(CONNECTIONS, perSecond);
    // Earlier responses are cached: the overload uses other queries.
    const much = await sendLoad(load, { ...each, connections, perSecond, requests: others });
    const goodput = much.responses / much.seconds;
    const refusals = much.latenciesMs.filter((_, index) => much.rejected[index]);
    const [halfMs, nearlyAllMs] = [quantile(refusals, 0.5), quantile(refusals, 0.99)];
    const measured = `with ${CPU_SHARE} of a processor for catalog-api: peak ${peak.toFixed(0)} a second; offered ${perSecond} a second over ${connections} connections: ${goodput.toFixed(0)} a second answered (${((100 * goodput) / peak).toFixed(0)} %), ${refusals.length} of ${much.latenciesMs.length} refused, half of them after ${halfMs.toFixed(0)} ms, p99 ${nearlyAllMs.toFixed(0)} ms; the last answer came ${(much.seconds - SECONDS).toFixed(1)} s after the last request`;
    if (goodput < MIN_GOODPUT * peak || halfMs > REFUSED_WITHIN_MS) throw new Error(measured);
    return [measured];
  },
};

function loadOf({ url }: Stage) {
  return {
    port: Number(new URL(url).port),
    seconds: SECONDS,
    status: 200,
    rejectionStatus: 503,
  } satisfies Partial<Load>;
}

/** The load comes from one address, and represents many clients: nginx does not bound it. */
const manyAddresses: Fault = async ({ compose }, ending) => {
  const bound = async (perAddress: string): Promise<void> => {
    const write = `sed -i "s/^limit_conn per_address .*/limit_conn per_address ${perAddress};/" /tmp/settings.conf`;
    const reload = 'nginx -c /etc/lobbystats/lobbystats.conf -s reload';
    await compose('exec', '-T', 'nginx', 'bash', '-c', `${write} && ${reload}`);
  };
  ending.defer(() => bound('$CONNECTIONS_PER_ADDRESS'));
  await bound(String(2 * CONNECTIONS));
};

/** Distinct searches, one per millisecond of a minute, so that none is cached or coalesced. */
function searches(minute: number): string[] {
  return Array.from({ length: 60_000 }, (_, ms) => {
    const seconds = (ms / 1000).toFixed(3).padStart(6, '0');
    return requestOf(`${operations.searchByTime.path}?time=${minute}:${seconds}&tolerance=60000&limit=500`);
  });
}
