import { operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import type { SelfContainedDrill } from '../drill.ts';
import { countByOutcome, load, type Outcome } from '../load.ts';
import { openStandalone } from '../stages/standalone-stage.ts';

const PER_SECOND = 2000;
const MIN_RESPONSES = 4000;
const PATHS = [operations.getOnlineUsers, operations.listGames, operations.getOnlineSummary].map(({ path }) => path);

export const gracefulShutdown: SelfContainedDrill = {
  number: 13,
  name: 'SIGTERM under 2,000 requests a second',
  on: 'its own',
  run: async () => {
    const stage = await openStandalone();
    const stopping = new AbortController();
    try {
      let answered = 0;
      const outcomes: Outcome[] = [];
      const began = performance.now();
      const loading = load({
        url: stage.url,
        path: (index) => PATHS[index % PATHS.length] ?? '/',
        perSecond: PER_SECOND,
        connections: 64,
        signal: stopping.signal,
        onOutcome: (outcome) => {
          outcomes.push(outcome);
          answered += 1;
        },
      });
      await eventually(() => expect(answered).toBeGreaterThan(MIN_RESPONSES), { timeoutMs: 60_000 });
      const rate = answered / ((performance.now() - began) / 1000);
      const signaledAt = performance.now();
      const code = await stage.process.stop('SIGTERM');
      const tookMs = performance.now() - signaledAt;
      stopping.abort();
      await loading;
      const counts = countByOutcome(outcomes);
      // Refused connections were never in flight.
      const { ECONNREFUSED: refused = 0, ...others } = counts;
      const failed = Object.entries(others).filter(([outcome]) => outcome !== '200');
      const measured = `${rate.toFixed(0)} requests a second when it was told; ended with ${String(code)} after ${(tookMs / 1000).toFixed(1)} s; ${others['200'] ?? 0} answered with 200, ${refused} refused a connection, others: ${JSON.stringify(Object.fromEntries(failed))}`;
      if (failed.length > 0 || code !== 0) throw new Error(measured);
      return [measured];
    } finally {
      stopping.abort();
      await stage.close();
    }
  },
};
