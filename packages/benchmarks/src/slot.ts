import { SLOT_SECONDS } from '@lobbystats/contracts';
import { openBus } from '@lobbystats/message-bus';
import type { Benchmark } from './benchmark.ts';
import { collectSlot } from './collect-slot.ts';

const REQUESTS_PER_SECOND = 20;
const GRACE_SECONDS = 1;

export const slot: Benchmark = {
  name: 'slot',
  description: `one slot of 200 active titles at ${REQUESTS_PER_SECOND} requests/s and 50 ms latency`,
  promise: 'a slot of 200 active titles is complete long before its deadline',
  run: async () => {
    const bus = await openBus({ url: 'memory:', origin: 'simulated' });
    try {
      const { seconds, requests, titles } = await collectSlot({
        slotMs: Math.ceil(Date.now() / (SLOT_SECONDS * 1000)) * SLOT_SECONDS * 1000,
        collectors: 1,
        perSecond: REQUESTS_PER_SECOND,
        databaseUrl: 'sqlite::memory:',
        busOf: () => Promise.resolve(bus),
      });
      const allowed = requests / REQUESTS_PER_SECOND + GRACE_SECONDS;
      return [
        {
          what: `a slot with ${titles} active titles`,
          measured: `${seconds.toFixed(2)} s for ${requests} requests`,
          reference: `${allowed.toFixed(2)} s (requests / allowed rate + ${GRACE_SECONDS} s)`,
          ratio: seconds / allowed,
          bound: 1,
        },
      ];
    } finally {
      await bus.close();
    }
  },
};
