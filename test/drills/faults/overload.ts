import { operations } from '@lobbystats/contracts';
import { quantile } from '../abuse/timing.ts';
import type { LoneDrill } from '../drill.ts';
import { countsOf, outcomesOf, type Outcome } from '../load.ts';
import { healthyAgain } from '../run-drill.ts';
import { openStandalone } from '../stages/standalone-stage.ts';

const SECONDS = 8;
const TIMES = 10;
const GOODPUT = 0.8;
const REFUSED_WITHIN_MS = 50;
const PEAK_CONNECTIONS = 32;

export const overload: LoneDrill = {
  number: 14,
  name: 'ten times as much as it can do',
  on: 'its own',
  run: async () => {
    const stage = await openStandalone();
    try {
      // Each another one: nothing that is kept answers it.
      const path = (index: number): string =>
        `${operations.searchByTime.path}?time=${index % 9}:${String(index % 60).padStart(2, '0')}.${String(index % 997).padStart(3, '0')}&tolerance=60000&limit=500`;
      const run = (perSecond: number | undefined, connections: number): Promise<Outcome[]> =>
        outcomesOf({
          ...{ url: stage.url, path, connections, signal: AbortSignal.timeout(SECONDS * 1000) },
          ...(perSecond !== undefined && { perSecond }),
        });
      const goodput = (outcomes: readonly Outcome[]): number =>
        outcomes.filter(({ status }) => status === 200).length / SECONDS;
      const peak = goodput(await run(undefined, PEAK_CONNECTIONS));
      const outcomes = await run(peak * TIMES, 2000);
      const good = goodput(outcomes);
      const refusals = outcomes.filter(({ status }) => status === 503).map(({ ms }) => ms);
      const measured = `peak ${peak.toFixed(0)} a second; offered ${(peak * TIMES).toFixed(0)}: ${good.toFixed(0)} a second answered (${((100 * good) / peak).toFixed(0)} %), ${JSON.stringify(countsOf(outcomes))}; refused after ${quantile(refusals, 0.5).toFixed(0)} ms, p99 ${quantile(refusals, 0.99).toFixed(0)} ms`;
      const strange = Object.keys(countsOf(outcomes)).filter((outcome) => !['200', '503'].includes(outcome));
      if (good < GOODPUT * peak || quantile(refusals, 0.5) > REFUSED_WITHIN_MS || strange.length > 0)
        throw new Error(measured);
      return [measured, await healthyAgain(stage)];
    } finally {
      await stage.close();
    }
  },
};
