import type { Authorization, Permission, RetentionRule } from '@influxdata/influxdb-client-apis';
import { RefusalError } from '@lobbystats/errors';
import { bucketPermissions } from './bucket-grants.ts';
import { BUCKET_RULES, BUCKETS, type BucketNames, type BucketRules } from './buckets.ts';
import { managementApi, type ManagementApi } from './management-api.ts';
import { waitFor } from './wait-for.ts';

/** By this the service's token is found again. */
const TOKEN_DESCRIPTION = 'lobbystats series-api';

export interface InfluxProvision {
  /** `http(s)://host:port`. */
  url: string;
  /** May make buckets and tokens. */
  adminToken: string;
  org: string;
  /** The token that the service has now, if any. */
  token?: string | undefined;
  /** Told what was done, a line each; nothing secret. */
  log: (line: string) => void;
  buckets?: BucketNames;
  rules?: Readonly<Record<keyof BucketNames, BucketRules>>;
  /** How long to wait for a server that isn't there yet. */
  waitMs?: number;
}

/**
 * Makes and corrects what series-api needs of InfluxDB: its two buckets with their retention, and a token that can read and
 * write them and nothing else. Doing it again changes nothing. Resolves to the token: the one given where it is valid with
 * exactly these rights, else a new one; other tokens that were made here before are then removed.
 *
 * @throws RefusalError when the organisation is missing or the admin token may not do it
 * @throws AppError `unavailable` when the server is away for too long
 */
export async function provisionInflux(options: InfluxProvision): Promise<{ token: string }> {
  const { url, adminToken, org, log, waitMs = 30_000, buckets = BUCKETS, rules = BUCKET_RULES } = options;
  const api = managementApi({ url, token: adminToken });
  const orgId = await waitFor(() => api.organisation(org), waitMs);
  if (orgId === undefined) throw new RefusalError(`InfluxDB has no organisation "${org}": set INFLUX_ORG`);

  const ids: string[] = [];
  for (const kind of ['snapshots', 'daily'] as const) {
    ids.push(await provideBucket(api, { orgId, name: buckets[kind], rules: rules[kind], log }));
  }
  return { token: await provideToken(api, { orgId, ids, given: options.token, buckets, log }) };
}

interface WantedBucket {
  orgId: string;
  name: string;
  rules: BucketRules;
  log: (line: string) => void;
}

async function provideBucket(api: ManagementApi, { orgId, name, rules, log }: WantedBucket): Promise<string> {
  const wanted: RetentionRule = { type: 'expire', ...rules };
  const there = await api.bucket(orgId, name);
  if (there === undefined) {
    const made = await api.createBucket(orgId, name, wanted);
    log(`InfluxDB: made the bucket ${name}, which keeps ${inWords(rules.everySeconds)}`);
    return made.id;
  }
  const [is] = there.retentionRules;
  // A bucket without end has no rule.
  const every = is?.everySeconds ?? 0;
  const shard = is?.shardGroupDurationSeconds;
  if (every !== rules.everySeconds || (shard !== undefined && shard !== rules.shardGroupDurationSeconds)) {
    await api.updateBucket(there.id, wanted);
    log(`InfluxDB: corrected the bucket ${name}: it kept ${inWords(every)}, and keeps ${inWords(rules.everySeconds)}`);
  }
  return there.id;
}

interface WantedToken {
  orgId: string;
  ids: readonly string[];
  given: string | undefined;
  buckets: BucketNames;
  log: (line: string) => void;
}

async function provideToken(api: ManagementApi, wanted: WantedToken): Promise<string> {
  const { orgId, ids, given, buckets, log } = wanted;
  const description = `${TOKEN_DESCRIPTION} (${buckets.snapshots}, ${buckets.daily})`;
  const own = (await api.authorizations(orgId)).filter((one) => one.description === description);
  const kept = own.find((one) => given !== undefined && one.token === given && hasExactly(one, orgId, ids));
  let token = kept?.token;
  if (token === undefined) {
    const permissions = ids.flatMap((id) => bucketPermissions('series-api', id, orgId));
    token = await api.createAuthorization(orgId, description, permissions);
    log(`InfluxDB: made a token that can read and write ${buckets.snapshots} and ${buckets.daily}, and nothing else`);
  }
  for (const old of own) {
    if (old === kept) continue;
    await api.deleteAuthorization(old.id);
    log('InfluxDB: removed a token that series-api had before');
  }
  return token;
}

function hasExactly({ status, permissions = [] }: Authorization, orgId: string, ids: readonly string[]): boolean {
  const inOneLine = ({ action, resource: { type, id } }: Permission) => [action, type, id].join(' ');
  const rights = permissions.map(inOneLine);
  const wanted = ids.flatMap((id) => bucketPermissions('series-api', id, orgId)).map(inOneLine);
  return status === 'active' && rights.length === wanted.length && wanted.every((right) => rights.includes(right));
}

function inWords(seconds: number): string {
  return seconds === 0 ? 'all that is written' : `the last ${seconds / 86_400} days`;
}
