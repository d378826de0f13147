import { setFaults } from '../../../services/standalone/test/site-sessions.ts';
import { nextSlot } from '../../drills/faults/slots.ts';
import { againAndAgain, misbehave, stop, type AlertFault } from '../alert-fault.ts';

/** So long that what is left of a slot just suffices. */
const ALONE_SECONDS = 95;

export const changedPages: AlertFault = {
  name: 'the network’s game pages change',
  raises: ['PagesFailing', 'SlotsIncomplete'],
  begin: (stage, mending) => misbehave(stage, mending, { path: '/games', kind: 'markup', severity: 'breaking' }),
};

export const leftAlone: AlertFault = {
  name: 'the network asks to be left alone for the most of each slot',
  raises: ['CollectorBehind'],
  begin: async (stage, mending) => {
    const once = { path: '/', kind: 'status', status: 503, retryAfter: ALONE_SECONDS, times: 1 };
    await misbehave(stage, mending, once);
    againAndAgain(mending, 1, async () => {
      await nextSlot();
      await setFaults(stage.stack.networkUrl, [once]);
    });
  },
};

export const networkAway: AlertFault = {
  name: 'the network is away',
  raises: ['SlotMissed', 'SlotLate'],
  begin: (stage, mending) => stop(stage, mending, 'simulator'),
};
