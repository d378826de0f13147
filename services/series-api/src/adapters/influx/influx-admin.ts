import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { DeleteAPI, HealthAPI, WriteAPI } from '@influxdata/influxdb-client-apis';
import { hasCode, RefusalError } from '@lobbystats/errors';
import { adminRequest, type AdminRequest } from './admin-request.ts';
import { BUCKET_RULES, BUCKETS, type BucketNames } from './buckets.ts';
import { managementApi } from './management-api.ts';

/** Who has all rights in an organisation of an InfluxDB. */
export interface InfluxAdmin {
  /** `http(s)://host:port`. */
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

/** How the server is prepared, and what is there. */
export interface InfluxState {
  readonly version: string;
  /** What is missing or other than series-api needs, in words. */
  readonly faults: readonly string[];
  /** Epoch seconds; undefined: no slot is stored. */
  readonly newestSlot: number | undefined;
}

const ANSWER_WITHIN_MS = 120_000;
const ATTEMPTS = 5;
const AGAIN_MS = 500;

/**
 * Asks InfluxQL of a bucket; times are nanoseconds.
 *
 * @throws AppError `unavailable` when the server is away or fails; RefusalError when it refuses
 */
export async function askInflux(admin: InfluxAdmin, bucket: string, statement: string): Promise<TextSeries[]> {
  const query = new URLSearchParams({ org: admin.org, db: bucket, epoch: 'ns', q: statement });
  // As text: the client's JSON would round nanoseconds.
  const found = await patiently(admin, {
    what: 'a question',
    ask: (influx, options) =>
      text(influx.transport.iterate(`/query?${query.toString()}`, '', { ...options, method: 'GET' })),
  });
  const answer = parseExactly(found) as { results?: { error?: string; partial?: boolean; series?: TextSeries[] }[] };
  const [result] = answer.results ?? [];
  if (result === undefined || result.error !== undefined) throw new RefusalError(`InfluxDB: ${result?.error ?? found}`);
  if (result.partial === true) throw new RefusalError('InfluxDB limits the rows of its answers (max-row-limit)');
  return result.series ?? [];
}

/**
 * Whether the token is one of the organisation's own: InfluxDB answers InfluxQL from the token's organisation, whichever is named.
 *
 * @throws RefusalError when it isn't
 */
export async function expectOwnToken(admin: InfluxAdmin): Promise<void> {
  const api = managementApi(admin);
  const orgId = await api.organisation(admin.org);
  const tokens = orgId === undefined ? [] : await api.authorizations(orgId);
  if (tokens.some(({ token, orgID }) => token === admin.token && orgID === orgId)) return;
  throw new RefusalError(
    `InfluxDB's organisation ${admin.org} has no such token: INFLUXDB_ADMIN_TOKEN must be one of its own`,
  );
}

/** Writes lines whose times are nanoseconds. Doing it again changes nothing. */
export async function writeLines(admin: InfluxAdmin, bucket: string, lines: readonly string[]): Promise<void> {
  const request = { org: admin.org, bucket, precision: 'ns', body: lines.join('\n') };
  await patiently(admin, {
    what: 'to write points',
    ask: (influx, options) => new WriteAPI(influx).postWrite(request, options),
  });
}

/** Removes all that a bucket has. */
export async function clearBucket(admin: InfluxAdmin, bucket: string): Promise<void> {
  const body = { start: '1677-09-22T00:00:00Z', stop: '2262-04-11T00:00:00Z' };
  await patiently(admin, {
    what: 'to delete points',
    ask: (influx, options) => new DeleteAPI(influx).postDelete({ org: admin.org, bucket, body }, options),
  });
}

/** Looks at a server, and changes nothing. */
export async function inspectInflux(admin: InfluxAdmin, buckets: BucketNames = BUCKETS): Promise<InfluxState> {
  const health = await adminRequest(admin, {
    what: 'to say how it is',
    ask: (influx, options) => new HealthAPI(influx).getHealth({}, options),
  });
  const api = managementApi(admin);
  const faults: string[] = [];
  const orgId = await api.organisation(admin.org);
  if (orgId === undefined) faults.push(`there is no organisation ${admin.org}`);
  else {
    for (const kind of ['snapshots', 'daily'] as const) {
      const name = buckets[kind];
      const rules = (await api.bucket(orgId, name))?.retentionRules;
      const keeps = rules?.[0]?.everySeconds ?? 0;
      const wanted = BUCKET_RULES[kind].everySeconds;
      if (rules === undefined) faults.push(`there is no bucket ${name}`);
      else if (keeps !== wanted) faults.push(`the bucket ${name} keeps ${keeps} s, not ${wanted} s (0: all)`);
    }
  }
  const version = health.version ?? 'unknown';
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

/** Nanoseconds don't fit into a number: what doesn't is left as it is written. */
function parseExactly(text: string): unknown {
  const asWritten = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;
  return JSON.parse(text, asWritten);
}

/** A request that may take long, and is made again while the server is away. Doing it again must change nothing. */
async function patiently<T>(admin: InfluxAdmin, request: Omit<AdminRequest<T>, 'withinMs'>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await adminRequest(admin, { ...request, withinMs: ANSWER_WITHIN_MS });
    } catch (error) {
      if (!hasCode(error, 'unavailable') || attempt === ATTEMPTS) throw error;
    }
    await pause(AGAIN_MS * attempt);
  }
}
