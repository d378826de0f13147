import { randomUUID } from 'node:crypto';
import { testServers } from '@lobbystats/test-kit';
import type { BucketNames, BucketRules } from '../src/adapters/influx/buckets.ts';
import { openInfluxSeriesStore, type InfluxSeriesStoreOptions } from '../src/adapters/influx/influx-series-store.ts';
import { provisionInflux } from '../src/adapters/influx/provision-influx.ts';
import type { SeriesStore } from '../src/domain/series-store.ts';
import { DAY, NOW } from './observations.ts';

/** Fixed test dates lie beyond any retention. */
export const FOR_EVER: Readonly<Record<keyof BucketNames, BucketRules>> = {
  snapshots: { everySeconds: 0, shardGroupDurationSeconds: DAY },
  daily: { everySeconds: 0, shardGroupDurationSeconds: 7 * DAY },
};

/** Two buckets of a test's own on the shared server, and the token for them. */
export interface TestBuckets {
  readonly buckets: BucketNames;
  readonly token: string;
  open(options?: Partial<InfluxSeriesStoreOptions>): Promise<SeriesStore>;
  remove(): Promise<void>;
}

/** Makes two buckets, which keep for ever unless told otherwise. */
export async function testBuckets(rules = FOR_EVER): Promise<TestBuckets> {
  const { url, token: adminToken, org } = testServers().influxdb;
  const id = randomUUID().slice(0, 8);
  const buckets = { snapshots: `test-${id}-snapshots`, daily: `test-${id}-daily` };
  const { token } = await provisionInflux({ url, adminToken, org, buckets, rules, log: () => undefined });
  return {
    buckets,
    token,
    open: (options = {}) =>
      openInfluxSeriesStore({
        url,
        token,
        org,
        origin: 'simulated',
        clock: () => NOW * 1000,
        buckets,
        rules,
        waitMs: 0,
        overdue: { settleMs: 0 },
        ...options,
      }),
    remove: () => removeAll(`test-${id}-`),
  };
}

/** Removes buckets and tokens whose name or description has this text in it. */
async function removeAll(mark: string): Promise<void> {
  const { buckets } = (await management('GET', '/api/v2/buckets?limit=100')) as { buckets: Named[] };
  const { authorizations } = (await management('GET', '/api/v2/authorizations')) as { authorizations: Named[] };
  for (const { id, name } of buckets) if (name?.includes(mark)) await management('DELETE', `/api/v2/buckets/${id}`);
  for (const { id, description } of authorizations) {
    if (description?.includes(mark)) await management('DELETE', `/api/v2/authorizations/${id}`);
  }
}

interface Named {
  id: string;
  name?: string;
  description?: string;
}

/** A request to the management API with all rights. */
export async function management(method: string, path: string, body?: object): Promise<unknown> {
  const { url, token } = testServers().influxdb;
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
