import { randomUUID } from 'node:crypto';
import { testServers } from '@lobbystats/test-kit';
import type { BucketNames, BucketRules } from '../src/administration/buckets.ts';
import { openInfluxSeriesStore, type SeriesStore } from '../src/open-store.ts';
import type { InfluxSeriesOptions } from '../src/database/open.influx.ts';
import { provisionInflux } from '../src/administration/provision.influx.ts';

/** 2027-01-15 08:00:00 UTC, the time of the stores. */
const NOW = 1_800_000_000;
const DAY = 86_400;

/** Fixed test dates lie beyond any retention. */
export const UNLIMITED_RETENTION: Readonly<Record<keyof BucketNames, BucketRules>> = {
  snapshots: { everySeconds: 0, shardGroupDurationSeconds: DAY },
  daily: { everySeconds: 0, shardGroupDurationSeconds: 7 * DAY },
};

/** Two buckets of one test on the shared server, and their token. */
export interface TestBuckets {
  readonly buckets: BucketNames;
  readonly token: string;
  open(options?: Partial<InfluxSeriesOptions>): Promise<SeriesStore>;
  remove(): Promise<void>;
}

/** Creates two buckets, by default with unlimited retention. */
export async function createTestBuckets(rules = UNLIMITED_RETENTION): Promise<TestBuckets> {
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

/** Deletes buckets and tokens whose name or description contains `mark`. */
async function removeAll(mark: string): Promise<void> {
  const { buckets } = (await management('GET', '/api/v2/buckets?limit=100')) as { buckets: NamedResource[] };
  const { authorizations } = (await management('GET', '/api/v2/authorizations')) as { authorizations: NamedResource[] };
  for (const { id, name } of buckets) if (name?.includes(mark)) await management('DELETE', `/api/v2/buckets/${id}`);
  for (const { id, description } of authorizations) {
    if (description?.includes(mark)) await management('DELETE', `/api/v2/authorizations/${id}`);
  }
}

interface NamedResource {
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
