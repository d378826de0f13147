import { text } from 'node:stream/consumers';
import type { InfluxDB } from '@influxdata/influxdb-client';
import { DeleteAPI, HealthAPI, WriteAPI } from '@influxdata/influxdb-client-apis';
import { hasCode, StartupError } from '@lobbystats/contracts/errors';
import pRetry from 'p-retry';
import { adminClient, bucketOf, organisationId, tokensOf } from './management.influx.ts';
import { ALL_TIMES, BUCKET_RULES, BUCKETS, type BucketNames } from './buckets.ts';

export interface InfluxAdmin {
  readonly url: string;
  readonly token: string;
  readonly org: string;
}

/** A statement's result, instants and large numbers as text. */
export interface TextSeries {
  readonly name: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
  readonly values: readonly (readonly (string | number | boolean | null)[])[];
}

export interface InfluxState {
  readonly version: string;
  readonly faults: readonly string[];
  readonly newestSlot: number | undefined;
  /** Since the server's start: it can't store what it accepts, and returns points from its memory all the same. */
  readonly failedWrites: number;
}

const REQUEST_TIMEOUT_MS = 120_000;

/**
 * InfluxQL with times in nanoseconds.
 *
 * @throws AppError `unavailable` when the server is unreachable or fails; StartupError when it refuses
 */
export async function queryInflux(admin: InfluxAdmin, bucket: string, statement: string): Promise<TextSeries[]> {
  const query = new URLSearchParams({ org: admin.org, db: bucket, epoch: 'ns', q: statement });
  const { transport } = bulkClient(admin);
  // Text, since JSON.parse would round nanoseconds.
  const ask = () => text(transport.iterate(`/query?${query.toString()}`, '', { method: 'GET' }));
  const found = await retryUnavailable(ask);
  const response = parseLosslessly(found) as {
    results?: { error?: string; partial?: boolean; series?: TextSeries[] }[];
  };
  const [result] = response.results ?? [];
  if (result === undefined || result.error !== undefined) throw new StartupError(`InfluxDB: ${result?.error ?? found}`);
  if (result.partial === true) throw new StartupError('InfluxDB limits the rows of its answers (max-row-limit)');
  return result.series ?? [];
}

/**
 * InfluxDB runs InfluxQL in the organisation of the token, whichever is named, so the token must belong to it.
 *
 * @throws StartupError when the token belongs to another organisation
 */
export async function verifyAdminToken(admin: InfluxAdmin): Promise<void> {
  const client = adminClient(admin);
  const orgId = await organisationId(client, admin.org);
  const tokens = orgId === undefined ? [] : await tokensOf(client, orgId);
  if (tokens.some(({ token, orgID }) => token === admin.token && orgID === orgId)) return;
  throw new StartupError(
    `InfluxDB's organisation ${admin.org} has no such token: INFLUXDB_ADMIN_TOKEN must belong to it`,
  );
}

export async function writeLines(admin: InfluxAdmin, bucket: string, lines: readonly string[]): Promise<void> {
  const api = new WriteAPI(bulkClient(admin));
  await retryUnavailable(() => api.postWrite({ org: admin.org, bucket, precision: 'ns', body: lines.join('\n') }));
}

export async function clearBucket(admin: InfluxAdmin, bucket: string): Promise<void> {
  const api = new DeleteAPI(bulkClient(admin));
  await retryUnavailable(() => api.postDelete({ org: admin.org, bucket, body: ALL_TIMES }));
}

export async function inspectInflux(admin: InfluxAdmin, buckets: BucketNames = BUCKETS): Promise<InfluxState> {
  const client = adminClient(admin);
  const { version = 'unknown' } = await new HealthAPI(client).getHealth();
  const faults: string[] = [];
  const orgId = await organisationId(client, admin.org);
  if (orgId === undefined) faults.push(`there is no organisation ${admin.org}`);
  else {
    for (const kind of ['snapshots', 'daily'] as const) {
      const name = buckets[kind];
      const rules = (await bucketOf(client, name, orgId))?.retentionRules;
      const seconds = rules?.[0]?.everySeconds ?? 0;
      const expected = BUCKET_RULES[kind].everySeconds;
      if (rules === undefined) faults.push(`there is no bucket ${name}`);
      else if (seconds !== expected)
        faults.push(`bucket ${name} has a retention of ${seconds} s, not ${expected} s (0: unlimited)`);
    }
  }
  const failedWrites = await countFailedWrites(client);
  if (faults.length > 0) return { version, faults, newestSlot: undefined, failedWrites };
  await verifyAdminToken(admin);
  const [newest] = await queryInflux(admin, buckets.snapshots, 'SELECT online FROM site ORDER BY time DESC LIMIT 1');
  const time = newest?.values[0]?.[0];
  return {
    version,
    faults,
    newestSlot: time === undefined ? undefined : Number(BigInt(String(time)) / 1_000_000_000n),
    failedWrites,
  };
}

/** 0 when the server publishes no metrics (INFLUXD_METRICS_DISABLED). */
async function countFailedWrites({ transport }: InfluxDB): Promise<number> {
  const metrics = await text(transport.iterate('/metrics', '', { method: 'GET' })).catch(() => '');
  const counts = metrics.matchAll(/^storage_writer_err_points_count(?:\{[^\n]*\})? (\S+)$/gm);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Numbers beyond 2^53 stay text. */
function parseLosslessly(text: string): unknown {
  const asWritten = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;
  return JSON.parse(text, asWritten);
}

function bulkClient(admin: InfluxAdmin): InfluxDB {
  return adminClient({ ...admin, timeoutMs: REQUEST_TIMEOUT_MS });
}

/** One retry during an outage; the queries are idempotent. */
function retryUnavailable<T>(work: () => Promise<T>): Promise<T> {
  return pRetry(work, { retries: 4, minTimeout: 500, shouldRetry: ({ error }) => hasCode(error, 'unavailable') });
}
