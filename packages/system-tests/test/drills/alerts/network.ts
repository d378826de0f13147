import { slotOf } from '@lobbystats/contracts';
import { setFaults } from '../../standalone/sign-in.ts';
import type { AlertDrill } from '../drill.ts';
import { networkFaults, stopped } from '../inject.ts';
import { repeatUntilEnded } from '../until-ended.ts';

/** The rest of the slot is just long enough to collect it. */
const RETRY_AFTER_SECONDS = 95;

export const pagesChanged: AlertDrill = {
  number: 38,
  name: 'the network’s game pages change',
  on: 'alerts',
  alerts: ['PagesFailing', 'SlotsIncomplete'],
  fault: networkFaults({ path: '/games', kind: 'markup', severity: 'breaking' }),
};

export const backoffRequested: AlertDrill = {
  number: 40,
  name: 'the network answers 503 with Retry-After for most of each slot',
  on: 'alerts',
  alerts: ['CollectorBehind'],
  fault: async (stage, ending) => {
    const once = { path: '/', kind: 'status', status: 503, retryAfter: RETRY_AFTER_SECONDS, times: 1 };
    await networkFaults(once)(stage, ending);
    // A second before a slot begins.
    const nextSlot = () => slotOf(Math.floor(Date.now() / 1000) + 1);
    let slot = nextSlot();
    repeatUntilEnded(ending, 0.5, async () => {
      if (nextSlot() === slot) return;
      slot = nextSlot();
      await setFaults(stage.networkUrl, [once]);
    });
  },
};

export const manyTitles: AlertDrill = {
  number: 39,
  name: 'the network’s homepage has many new titles in each slot',
  on: 'alerts',
  alerts: ['GrowthRefused'],
  fault: networkFaults({ path: '/', kind: 'titles' }),
};

export const networkDown: AlertDrill = {
  number: 41,
  name: 'the network is down',
  on: 'alerts',
  alerts: ['SlotMissed', 'SlotLate'],
  fault: stopped('simulator'),
};
