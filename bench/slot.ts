import { createCollector, readCollectorConfig } from '@lobbystats/collector';
import { registeredObserved, slotObserved, titleStored } from '@lobbystats/contracts';
import { handle, openBus } from '@lobbystats/message-bus';
import { silentLogger } from '@lobbystats/service-kit';
import { createSimulator } from '@lobbystats/simulator';
import type { Benchmark } from './benchmark.ts';

const TITLES = 200;
const REQUESTS_PER_SECOND = 20;
const LATENCY_MS = 50;
const GRACE_SECONDS = 1;

/** One collector, one slot in which every title is active, at the allowed rate. */
export const slot: Benchmark = {
  name: 'slot',
  about: `one slot of ${TITLES} active titles at ${REQUESTS_PER_SECOND} requests/s and ${LATENCY_MS} ms latency`,
  run: async () => {
    // Just after a slot's beginning, so that it is collected at once and has its whole time.
    const offset = 300_000 - (Date.now() % 300_000);
    const clock = () => Date.now() + offset;
    const simulator = createSimulator({ clock, titles: TITLES, openMatches: 4000, skew: 0, latencyMs: LATENCY_MS });
    const { url } = await simulator.start();
    const bus = await openBus({ url: 'memory:', origin: 'simulated' });
    const config = readCollectorConfig({
      NETWORK_URL: url,
      NETWORK_ORIGIN: 'simulated',
      NETWORK_CLOCK_TOLERANCE_SECONDS: '0',
      DATABASE_URL: 'sqlite::memory:',
      COLLECTOR_MAX_RPS: String(REQUESTS_PER_SECOND),
      FILL_DAYS: '0',
      FILL_REGISTERED_DAYS: '0',
      PORT: '0',
    });
    const collector = await createCollector(config, { bus, logger: silentLogger(), clock });
    try {
      const finished = new Promise<{ titles: number; missing: number }>((resolve) => {
        void bus.consume({
          queue: 'series-api',
          handlers: [
            handle(slotObserved, ({ data }) => {
              const missing = data.titles.filter(({ matches }) => matches === null).length;
              resolve({ titles: data.titles.filter(({ sessions }) => sessions > 0).length, missing });
              return Promise.resolve();
            }),
            handle(registeredObserved, () => Promise.resolve()),
            handle(titleStored, () => Promise.resolve()),
          ],
        });
      });
      const began = performance.now();
      await collector.start();
      const { titles, missing } = await finished;
      const seconds = (performance.now() - began) / 1000;
      if (missing > 0) throw new Error(`${missing} titles are missing in the slot`);
      const { total } = (await (await fetch(`${url}/simulator/requests`)).json()) as { total: number };
      const allowed = total / REQUESTS_PER_SECOND + GRACE_SECONDS;
      return [
        {
          what: `a slot with ${titles} active titles`,
          measured: `${seconds.toFixed(2)} s for ${total} requests`,
          against: `${allowed.toFixed(2)} s (requests / allowed rate + ${GRACE_SECONDS} s)`,
          ratio: seconds / allowed,
          bound: 1,
        },
      ];
    } finally {
      await collector.stop();
      await bus.close();
      await simulator.stop();
    }
  },
};
