import { operations } from '@lobbystats/contracts';
import { killAndStart } from '../../drills/faults/broken-server.ts';
import { knownNames } from '../../drills/faults/known-names.ts';
import { littleProcessor } from '../../drills/faults/little-processor.ts';
import { againAndAgain, ask, stop, type AlertFault } from '../alert-fault.ts';
import { factsFor } from './facts-for.ts';

/** What waits when a service is killed: more than it has in hand at once. */
const WAITING = 400;
const KILLS_EVERY_SECONDS = 12;
/** Of a processor. */
const LITTLE = 0.05;

export const ownerAway: AlertFault = {
  name: 'reputation-api is away, and facts for it keep coming',
  raises: ['ServiceDown', 'QueueWithoutConsumer', 'QueueGrowing', 'OwnerCircuitOpen'],
  begin: async (stage, mending) => {
    const names = await knownNames(stage.stack, 20);
    const send = await factsFor(stage, mending, 'reputation-api');
    await stop(stage, mending, 'reputation-api');
    ask(stage, mending, {
      ...{ perSecond: 5, connections: 10 },
      path: (index) => operations.getReputation.path.replace(':username', names[index % names.length] ?? ''),
    });
    await send(2 * WAITING);
    againAndAgain(mending, 1, () => send(10));
  },
};

export const killedAgain: AlertFault = {
  name: 'user-api is killed again and again with facts in hand',
  raises: ['ServiceRestarting', 'MessagesRedelivered'],
  begin: async (stage, mending) => {
    const send = await factsFor(stage, mending, 'user-api');
    againAndAgain(mending, KILLS_EVERY_SECONDS, async () => {
      await send(WAITING);
      await killAndStart(stage.stack, 'user-api');
    });
  },
};

export const unkeptSearches: AlertFault = {
  name: 'people search for what nobody has searched for',
  raises: ['CacheHitRatioLow'],
  begin: (stage, mending) => {
    ask(stage, mending, { perSecond: 30, connections: 30, path: searchPath });
    return Promise.resolve();
  },
};

export const starvedGateway: AlertFault = {
  name: 'a gateway gets a twentieth of a processor, and is asked by many',
  raises: ['EventLoopDelayed', 'RequestsShed'],
  begin: async (stage, mending) => {
    await littleProcessor(stage.stack, mending, 'gateway', LITTLE);
    ask(stage, mending, { connections: 200, path: searchPath });
  },
};

/** Another one each time: nothing that is kept answers it. */
function searchPath(index: number): string {
  const time = `${index % 9}:${String(index % 60).padStart(2, '0')}.${String(index % 997).padStart(3, '0')}`;
  return `${operations.searchByTime.path}?time=${time}&limit=100`;
}
