import { operations } from '@lobbystats/contracts';
import { docker } from '@lobbystats/test-kit/docker';
import { killAndStart } from '../../drills/faults/break-service.ts';
import { listUsernames } from '../../drills/faults/list-usernames.ts';
import { limitCpu } from '../../drills/faults/limit-cpu.ts';
import { repeatUntilMended, requestUntilMended, stopService, type AlertFault } from '../alert-fault.ts';
import { factResender } from './fact-resender.ts';

/** Number of queued facts when a service is killed: more than its prefetch. */
const QUEUED_FACTS = 400;
const KILLS_EVERY_SECONDS = 12;
/** Share of a CPU. */
const CPU_SHARE = 0.05;

export const upstreamDown: AlertFault = {
  name: 'reputation-api is down while facts for it are published',
  raises: ['ServiceDown', 'QueueWithoutConsumer', 'QueueGrowing', 'UpstreamCircuitOpen'],
  start: async (stage, mending) => {
    const names = await listUsernames(stage.stack, 20);
    const send = await factResender(stage, mending, 'reputation-api');
    await stopService(stage, mending, 'reputation-api');
    requestUntilMended(stage, mending, {
      ...{ perSecond: 5, connections: 10 },
      path: (index) => operations.getReputation.path.replace(':username', names[index % names.length] ?? ''),
    });
    await send(2 * QUEUED_FACTS);
    repeatUntilMended(mending, 1, () => send(10));
  },
};

export const crashLoop: AlertFault = {
  name: 'user-api is killed repeatedly while it processes facts',
  raises: ['ServiceRestarting', 'MessagesRedelivered'],
  start: async (stage, mending) => {
    const send = await factResender(stage, mending, 'user-api');
    repeatUntilMended(mending, KILLS_EVERY_SECONDS, async () => {
      await send(QUEUED_FACTS);
      await killAndStart(stage.stack, 'user-api');
    });
  },
};

export const uncachedSearches: AlertFault = {
  name: 'clients send searches that are not cached',
  raises: ['CacheHitRatioLow'],
  start: (stage, mending) => {
    requestUntilMended(stage, mending, { perSecond: 30, connections: 30, path: searchPath });
    return Promise.resolve();
  },
};

export const starvedGateway: AlertFault = {
  name: 'a gateway with 5% of a CPU is overloaded',
  raises: ['EventLoopDelayed', 'RequestsShed'],
  start: async (stage, mending) => {
    await limitCpu(stage.stack, mending, 'gateway', CPU_SHARE);
    // All clients send one search and wait for its response: the concurrency limit of the upstream rejects different searches first.
    requestUntilMended(stage, mending, { connections: 200, path: () => searchPath(0) });
  },
};

export const nginxStopped: AlertFault = {
  name: 'nginx is stopped',
  raises: ['PublicSiteFailing'],
  start: (stage, mending) => stopService(stage, mending, 'nginx'),
};

export const missingInstance: AlertFault = {
  name: 'a gateway has a second series-api that does not respond',
  raises: ['SeriesInstanceIncomplete'],
  start: async ({ stack }, mending) => {
    const urls = 'SERIES_API_URL=http://series-api:8080,http://127.0.0.1:9';
    const id = await stack.compose('run', '-d', '--rm', '--no-deps', '--use-aliases', '-e', urls, 'gateway');
    mending.defer(async () => {
      await docker(['stop', id]);
    });
  },
};

/** A different search each time, so that none is cached. */
function searchPath(index: number): string {
  const time = `${index % 9}:${String(index % 60).padStart(2, '0')}.${String(index % 997).padStart(3, '0')}`;
  return `${operations.searchByTime.path}?time=${time}&limit=100`;
}
