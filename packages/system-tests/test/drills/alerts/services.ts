import { operations } from '@lobbystats/contracts';
import { docker } from '@lobbystats/test-kit/docker';
import type { AlertDrill } from '../drill.ts';
import { listUsernames } from '../faults/list-usernames.ts';
import { cpuLimited, killAndStart, stopped } from '../inject.ts';
import { repeatUntilEnded, requestUntilEnded } from '../until-ended.ts';
import { factResender } from './fact-resender.ts';

/** Number of queued facts when a service is killed: more than its prefetch. */
const QUEUED_FACTS = 400;
const KILLS_EVERY_SECONDS = 12;
/** Share of a CPU. */
const CPU_SHARE = 0.05;

export const upstreamDown: AlertDrill = {
  number: 45,
  name: 'reputation-api is down while facts for it are published',
  on: 'alerts',
  alerts: ['ServiceDown', 'QueueWithoutConsumer', 'QueueGrowing', 'UpstreamCircuitOpen'],
  fault: async (stage, ending) => {
    const names = await listUsernames(stage, 20);
    const send = await factResender(stage, ending, 'reputation-api');
    await stopped('reputation-api')(stage, ending);
    requestUntilEnded(stage, ending, {
      ...{ perSecond: 5, connections: 10 },
      path: (index) => operations.getReputation.path.replace(':username', names[index % names.length] ?? ''),
    });
    await send(2 * QUEUED_FACTS);
    repeatUntilEnded(ending, 1, () => send(10));
  },
};

export const crashLoop: AlertDrill = {
  number: 46,
  name: 'user-api is killed repeatedly while it processes facts',
  on: 'alerts',
  alerts: ['ServiceRestarting', 'MessagesRedelivered'],
  fault: async (stage, ending) => {
    const send = await factResender(stage, ending, 'user-api');
    repeatUntilEnded(ending, KILLS_EVERY_SECONDS, async () => {
      await send(QUEUED_FACTS);
      await killAndStart(stage, 'user-api');
    });
  },
};

export const uncachedSearches: AlertDrill = {
  number: 47,
  name: 'clients send searches that are not cached',
  on: 'alerts',
  alerts: ['CacheHitRatioLow'],
  fault: (stage, ending) => {
    requestUntilEnded(stage, ending, { perSecond: 30, connections: 30, path: searchPath });
    return Promise.resolve();
  },
};

export const starvedGateway: AlertDrill = {
  number: 48,
  name: 'a gateway with 5% of a CPU is overloaded',
  on: 'alerts',
  alerts: ['EventLoopDelayed', 'RequestsShed'],
  fault: async (stage, ending) => {
    await cpuLimited('gateway', CPU_SHARE)(stage, ending);
    // All clients send one search and wait for its response: the concurrency limit of the upstream rejects different searches first.
    requestUntilEnded(stage, ending, { connections: 200, path: () => searchPath(0) });
  },
};

export const nginxStopped: AlertDrill = {
  number: 50,
  name: 'nginx is stopped',
  on: 'alerts',
  alerts: ['PublicSiteFailing'],
  fault: stopped('nginx'),
};

export const missingInstance: AlertDrill = {
  number: 49,
  name: 'a gateway has a second series-api that does not respond',
  on: 'alerts',
  alerts: ['SeriesInstanceIncomplete'],
  fault: async ({ compose }, ending) => {
    const urls = 'SERIES_API_URL=http://series-api:8080,http://127.0.0.1:9';
    const id = await compose('run', '-d', '--rm', '--no-deps', '--use-aliases', '-e', urls, 'gateway');
    ending.defer(async () => {
      await docker(['stop', id]);
    });
  },
};

/** A different search each time, so that none is cached. */
function searchPath(index: number): string {
  const time = `${index % 9}:${String(index % 60).padStart(2, '0')}.${String(index % 997).padStart(3, '0')}`;
  return `${operations.searchByTime.path}?time=${time}&limit=100`;
}
