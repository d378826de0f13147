import type { InfluxDB } from '@influxdata/influxdb-client';
import { type Authorization, BucketsAPI, type Permission, type RetentionRule } from '@influxdata/influxdb-client-apis';
import { StartupError } from '@lobbystats/contracts/errors';
import {
  adminClient,
  bucketOf,
  createToken,
  isKnownToken,
  organisationId,
  removeToken,
  tokensOf,
  retryUntilAvailable,
} from './management.influx.ts';
import { bucketPermissions, BUCKET_RULES, BUCKETS, type BucketNames, type BucketRules } from './buckets.ts';

export interface InfluxProvisionOptions {
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
 * Creates or corrects the buckets, their retention and the token of the service, and deletes superseded tokens.
 * Idempotent.
 *
 * @throws as {@link provisionBuckets}
 */
export async function provisionInflux(options: InfluxProvisionOptions): Promise<{ token: string }> {
  const { url, token: given, log, buckets = BUCKETS } = options;
  const { client, orgId, ids } = await provisionBuckets(options);
  return { token: await ensureToken(client, { url, orgId, ids, given, buckets, log }) };
}

/**
 * Creates or corrects the buckets and their retention. Idempotent.
 *
 * @throws StartupError when the organisation is missing or the admin token may not do it
 * @throws AppError `unavailable` when the server stays unreachable
 */
export async function provisionBuckets(options: Omit<InfluxProvisionOptions, 'token'>) {
  const { url, adminToken, org, log, waitMs = 30_000, buckets = BUCKETS, rules = BUCKET_RULES } = options;
  const client = adminClient({ url, token: adminToken });
  const orgId = await retryUntilAvailable(() => organisationId(client, org), waitMs);
  if (orgId === undefined) throw new StartupError(`InfluxDB has no organisation "${org}": set INFLUXDB_ORG`);

  const ids: string[] = [];
  for (const kind of ['snapshots', 'daily'] as const) {
    ids.push(await ensureBucket(client, { orgId, name: buckets[kind], rules: rules[kind], log }));
  }
  return { client, orgId, ids };
}

interface BucketSpec {
  orgId: string;
  name: string;
  rules: BucketRules;
  log: (line: string) => void;
}

async function ensureBucket(client: InfluxDB, { orgId, name, rules, log }: BucketSpec): Promise<string> {
  const rule: RetentionRule = { type: 'expire', ...rules };
  const api = new BucketsAPI(client);
  const there = await bucketOf(client, name, orgId);
  if (there === undefined) {
    const { id = '' } = await api.postBuckets({ body: { orgID: orgId, name, retentionRules: [rule] } });
    log(`InfluxDB: created bucket ${name}, retention: ${describeRetention(rules.everySeconds)}`);
    return id;
  }
  const [is] = there.retentionRules;
  // An unlimited bucket has no rule.
  const every = is?.everySeconds ?? 0;
  const shard = is?.shardGroupDurationSeconds;
  if (every !== rules.everySeconds || (shard !== undefined && shard !== rules.shardGroupDurationSeconds)) {
    await api.patchBucketsID({ bucketID: there.id, body: { retentionRules: [rule] } });
    log(
      `InfluxDB: corrected bucket ${name}, retention was ${describeRetention(every)}, is ${describeRetention(rules.everySeconds)}`,
    );
  }
  return there.id;
}

interface TokenSpec {
  url: string;
  orgId: string;
  ids: readonly string[];
  given: string | undefined;
  buckets: BucketNames;
  log: (line: string) => void;
}

async function ensureToken(client: InfluxDB, spec: TokenSpec): Promise<string> {
  const { orgId, ids, given, buckets, log } = spec;
  const description = `lobbystats series-api (${buckets.snapshots}, ${buckets.daily})`;
  const own = (await tokensOf(client, orgId)).filter((one) => one.description === description);
  const existing = await findToken(
    own.filter((one) => hasExactPermissions(one, orgId, ids)),
    spec,
  );
  let token = existing === undefined ? undefined : given;
  if (token === undefined) {
    const permissions = ids.flatMap((id) => bucketPermissions('series-api', id, orgId));
    token = await createToken(client, { orgID: orgId, description, permissions });
    log(`InfluxDB: created a token with access to ${buckets.snapshots} and ${buckets.daily} only`);
  }
  for (const old of own) {
    if (old === existing) continue;
    await removeToken(client, old);
    log(`InfluxDB: deleted a superseded token of series-api`);
  }
  return token;
}

/** The entry of the given token. InfluxDB 2.8 may store hashes and then lists no text: the only entry is that of a token which works. */
async function findToken(
  usable: readonly Authorization[],
  { url, given, buckets }: TokenSpec,
): Promise<Authorization | undefined> {
  if (given === undefined) return undefined;
  const [first, ...others] = usable;
  const isHashed = first !== undefined && (first.token ?? '') === '';
  if (!isHashed) return usable.find(({ token }) => token === given);
  return others.length === 0 && (await isKnownToken(url, given, buckets.snapshots)) ? first : undefined;
}

function hasExactPermissions(
  { status, permissions = [] }: Authorization,
  orgId: string,
  ids: readonly string[],
): boolean {
  const inOneLine = ({ action, resource: { type, id } }: Permission) => [action, type, id].join(' ');
  const rights = permissions.map(inOneLine);
  const requiredRights = ids.flatMap((id) => bucketPermissions('series-api', id, orgId)).map(inOneLine);
  return (
    status === 'active' &&
    rights.length === requiredRights.length &&
    requiredRights.every((right) => rights.includes(right))
  );
}

function describeRetention(seconds: number): string {
  return seconds === 0 ? 'unlimited' : `${seconds / 86_400} days`;
}
