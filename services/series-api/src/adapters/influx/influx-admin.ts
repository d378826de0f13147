import { text } from 'node:stream/consumers';
import type { InfluxDB } from '@influxdata/influxdb-client';
import { DeleteAPI, HealthAPI, WriteAPI } from '@influxdata/influxdb-client-apis';
import { hasCode, RefusalError } from '@lobbystats/errors';
import pRetry from 'p-retry';
import { adminClient, bucketOf, organisationId, tokensOf } from './management.ts';
import { BUCKET_RULES, BUCKETS, type BucketNames } from './buckets.ts';

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
}

const ANSWER_WITHIN_MS = 120_000;

/**
 * InfluxQL with times in nanoseconds.
 *
 * @throws AppError `unavailable` when the server is away or fails; RefusalError when it refuses
 */
export async function askInflux(admin: InfluxAdmin, bucket: string, statement: string): Promise<TextSeries[]> {
  const query = new URLSearchParams({ org: admin.org, db: bucket, epoch: 'ns', q: statement });
  const { transport } = slowClient(admin);
  // Text, since JSON.parse would round nanoseconds.
  const ask = () => text(transport.iterate(`/query?${query.toString()}`, '', { method: 'GET' }));
  const found = await patiently(ask);
  const answer = parseExactly(found) as { results?: { error?: string; partial?: boolean; series?: TextSeries[] }[] };
  const [result] = answer.results ?? [];
  if (result === undefined || result.error !== undefined) throw new RefusalError(`InfluxDB: ${result?.error ?? found}`);
  if (result.partial === true) throw new RefusalError('InfluxDB limits the rows of its answers (max-row-limit)');
  return result.series ?? [];
}

/**
 * InfluxDB answers InfluxQL from the token's own organisation, whichever is named.
 *
 * @throws RefusalError when it isn't
 */
export async function expectOwnToken(admin: InfluxAdmin): Promise<void> {
  const client = adminClient(admin);
  const orgId = await organisationId(client, admin.org);
  const tokens = orgId === undefined ? [] : await tokensOf(client, orgId);
  if (tokens.some(({ token, orgID }) => token === admin.token && orgID === orgId)) return;
  throw new RefusalError(
    `InfluxDB's organisation ${admin.org} has no such token: INFLUXDB_ADMIN_TOKEN must be one of its own`,
  );
}

export async function writeLines(admin: InfluxAdmin, bucket: string, lines: readonly string[]): Promise<void> {
  const api = new WriteAPI(slowClient(admin));
  await patiently(() => api.postWrite({ org: admin.org, bucket, precision: 'ns', body: lines.join('\n') }));
}

export async function clearBucket(admin: InfluxAdmin, bucket: string): Promise<void> {
  const body = { start: '1677-09-22T00:00:00Z', stop: '2262-04-11T00:00:00Z' };
  const api = new DeleteAPI(slowClient(admin));
  await patiently(() => api.postDelete({ org: admin.org, bucket, body }));
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
      const keeps = rules?.[0]?.everySeconds ?? 0;
      const wanted = BUCKET_RULES[kind].everySeconds;
      if (rules === undefined) faults.push(`there is no bucket ${name}`);
      else if (keeps !== wanted) faults.push(`the bucket ${name} keeps ${keeps} s, not ${wanted} s (0: all)`);
    }
  }
  if (faults.length > 0) return { version, faults, newestSlot: undefined };
  await expectOwnToken(admin);
  const [newest] = await askInflux(admin, buckets.snapshots, 'SELECT online FROM site ORDER BY time DESC LIMIT 1');
  const time = newest?.values[0]?.[0];
  return {
    version,
    faults,
    newestSlot: time === undefined ? undefined : Number(BigInt(String(time)) / 1_000_000_000n),
  };
}

/** Numbers beyond 2^53 stay text. */
function parseExactly(text: string): unknown {
  const asWritten = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;
  return JSON.parse(text, asWritten);
}

function slowClient(admin: InfluxAdmin): InfluxDB {
  return adminClient({ ...admin, withinMs: ANSWER_WITHIN_MS });
}

/** One retry during an outage; the queries are idempotent. */
function patiently<T>(work: () => Promise<T>): Promise<T> {
  return pRetry(work, { retries: 4, minTimeout: 500, shouldRetry: ({ error }) => hasCode(error, 'unavailable') });
}
