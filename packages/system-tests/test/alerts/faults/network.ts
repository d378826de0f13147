import { setFaults } from '../../standalone/sign-in.ts';
import { waitForNextSlot } from '../../drills/faults/slots.ts';
import { repeatUntilMended, setNetworkFault, stopService, type AlertFault } from '../alert-fault.ts';

/** The rest of the slot is just long enough to collect it. */
const RETRY_AFTER_SECONDS = 95;

export const changedPages: AlertFault = {
  name: 'the network’s game pages change',
  raises: ['PagesFailing', 'SlotsIncomplete'],
  start: (stage, mending) => setNetworkFault(stage, mending, { path: '/games', kind: 'markup', severity: 'breaking' }),
};

export const backoffRequested: AlertFault = {
  name: 'the network answers 503 with Retry-After for most of each slot',
  raises: ['CollectorBehind'],
  start: async (stage, mending) => {
    const once = { path: '/', kind: 'status', status: 503, retryAfter: RETRY_AFTER_SECONDS, times: 1 };
    await setNetworkFault(stage, mending, once);
    repeatUntilMended(mending, 1, async () => {
      await waitForNextSlot();
      await setFaults(stage.stack.networkUrl, [once]);
    });
  },
};

export const manyTitles: AlertFault = {
  name: 'the network’s homepage has many new titles in each slot',
  raises: ['GrowthRefused'],
  start: (stage, mending) => setNetworkFault(stage, mending, { path: '/', kind: 'titles' }),
};

export const networkDown: AlertFault = {
  name: 'the network is down',
  raises: ['SlotMissed', 'SlotLate'],
  start: (stage, mending) => stopService(stage, mending, 'simulator'),
};
