import type { InfluxDB } from '@influxdata/influxdb-client';
import { type Authorization, BucketsAPI, type Permission, type RetentionRule } from '@influxdata/influxdb-client-apis';
import { RefusalError } from '@lobbystats/errors';
import { adminClient, bucketOf, makeToken, organisationId, removeToken, tokensOf } from './management.ts';
import { bucketPermissions } from './bucket-grants.ts';
import { BUCKET_RULES, BUCKETS, type BucketNames, type BucketRules } from './buckets.ts';
import { waitFor } from './wait-for.ts';

const TOKEN_DESCRIPTION = 'lobbystats series-api';

export interface InfluxProvision {
  url: string;
  adminToken: string;
  org: string;
  token?: string | undefined;
  log: (line: string) => void;
  buckets?: BucketNames;
  rules?: Readonly<Record<keyof BucketNames, BucketRules>>;
  waitMs?: number;
}

/**
 * Creates or corrects buckets, retention and the service's token. Idempotent. Returns the valid token, and removes
 * superseded ones.
 *
 * @throws RefusalError when the organisation is missing or the admin token may not do it
 * @throws AppError `unavailable` when the server is away for too long
 */
export async function provisionInflux(options: InfluxProvision): Promise<{ token: string }> {
  const { url, adminToken, org, log, waitMs = 30_000, buckets = BUCKETS, rules = BUCKET_RULES } = options;
  const client = adminClient({ url, token: adminToken });
  const orgId = await waitFor(() => organisationId(client, org), waitMs);
  if (orgId === undefined) throw new RefusalError(`InfluxDB has no organisation "${org}": set INFLUX_ORG`);

  const ids: string[] = [];
  for (const kind of ['snapshots', 'daily'] as const) {
    ids.push(await provideBucket(client, { orgId, name: buckets[kind], rules: rules[kind], log }));
  }
  return { token: await provideToken(client, { orgId, ids, given: options.token, buckets, log }) };
}

interface WantedBucket {
  orgId: string;
  name: string;
  rules: BucketRules;
  log: (line: string) => void;
}

async function provideBucket(client: InfluxDB, { orgId, name, rules, log }: WantedBucket): Promise<string> {
  const wanted: RetentionRule = { type: 'expire', ...rules };
  const api = new BucketsAPI(client);
  const there = await bucketOf(client, name, orgId);
  if (there === undefined) {
    const { id = '' } = await api.postBuckets({ body: { orgID: orgId, name, retentionRules: [wanted] } });
    log(`InfluxDB: made the bucket ${name}, which keeps ${inWords(rules.everySeconds)}`);
    return id;
  }
  const [is] = there.retentionRules;
  // An unlimited bucket has no rule.
  const every = is?.everySeconds ?? 0;
  const shard = is?.shardGroupDurationSeconds;
  if (every !== rules.everySeconds || (shard !== undefined && shard !== rules.shardGroupDurationSeconds)) {
    await api.patchBucketsID({ bucketID: there.id, body: { retentionRules: [wanted] } });
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

async function provideToken(client: InfluxDB, wanted: WantedToken): Promise<string> {
  const { orgId, ids, given, buckets, log } = wanted;
  const description = `${TOKEN_DESCRIPTION} (${buckets.snapshots}, ${buckets.daily})`;
  const own = (await tokensOf(client, orgId)).filter((one) => one.description === description);
  const kept = own.find((one) => given !== undefined && one.token === given && hasExactly(one, orgId, ids));
  let token = kept?.token;
  if (token === undefined) {
    const permissions = ids.flatMap((id) => bucketPermissions('series-api', id, orgId));
    token = await makeToken(client, { orgID: orgId, description, permissions });
    log(`InfluxDB: made a token that can read and write ${buckets.snapshots} and ${buckets.daily}, and nothing else`);
  }
  for (const old of own) {
    if (old === kept) continue;
    await removeToken(client, old);
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
