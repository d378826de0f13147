import { randomUUID } from 'node:crypto';
import { influxBuckets, influxManagement } from '@lobbystats/series-api/admin';
import type { Attempt, Attempts } from './attempts.ts';

export interface SeriesAttemptsOptions {
  url: string;
  adminToken: string;
  org: string;
  tokenOf: (principal: string) => string;
}

/** Attempts that can also run as the administrator, as a positive control. */
export interface SeriesAttempts extends Attempts {
  isAllowedToAdministrator(attempt: Attempt): Promise<boolean>;
}

interface Target {
  token: string;
  orgID: string;
  /** ID of the bucket, if the resource is a bucket. */
  name: string;
  id: string;
}

type Act = (target: Target) => Promise<boolean>;

/** Measurement of a probe point in each bucket. */
const PROBE = 'permissions';
const POINTS_UNTIL_1970 = { start: '1970-01-01T00:00:00Z', stop: '1970-01-01T00:00:01Z' };

/** Attempts on InfluxDB. `another bucket` is created here and removed at the end. */
export async function seriesAttempts({
  url,
  adminToken,
  org,
  tokenOf,
}: SeriesAttemptsOptions): Promise<SeriesAttempts> {
  const admin = influxManagement.adminClient({ url, token: adminToken });
  const orgID = String(await influxManagement.organisationId(admin, org));
  const another = `another-${randomUUID()}`;
  await call(url, adminToken, 'POST', 'buckets', { orgID, name: another, retentionRules: [] });
  const acts = actsOn(url);
  for (const bucket of [...Object.values(influxBuckets), another])
    await call(url, adminToken, 'POST', `write?orgID=${orgID}&bucket=${bucket}`, `${PROBE} value=1`);

  const actOf = async ({ resource, action }: Attempt, token: string): Promise<boolean> => {
    const act = acts[action];
    if (act === undefined) throw new Error(`There is no attempt for ${action}`);
    const name = resource === 'another bucket' ? another : resource;
    return act({ token, orgID, name, id: (await influxManagement.bucketOf(admin, name, orgID))?.id ?? '' });
  };
  return {
    isAllowed: (attempt) => actOf(attempt, tokenOf(attempt.principal)),
    isAllowedToAdministrator: (attempt) => actOf(attempt, adminToken),
    close: async () => {
      const { id } = (await influxManagement.bucketOf(admin, another, orgID)) ?? {};
      if (id !== undefined) await call(url, adminToken, 'DELETE', `buckets/${id}`);
    },
  };
}

function actsOn(url: string): Readonly<Record<string, Act>> {
  const does = async (token: string, method: string, path: string, body?: object | string): Promise<boolean> => {
    const { ok, status } = await call(url, token, method, path, body);
    // InfluxDB answers 404 for a bucket that a token can't see.
    if (!ok && ![401, 403, 404].includes(status)) throw new Error(`InfluxDB answered ${method} ${path} with ${status}`);
    return ok;
  };
  // Checks for the probe point: a token without read permission gets an empty result.
  const reads = async ({ token, orgID }: Target, source: string): Promise<boolean> => {
    const query = `from(${source}) |> range(start: -1h) |> filter(fn: (r) => r._measurement == "${PROBE}")`;
    const answer = await call(url, token, 'POST', `query?orgID=${orgID}`, { query, type: 'flux' });
    return answer.ok && answer.text.includes(PROBE);
  };
  const readsByInfluxQl = async ({ token, name: db }: Target): Promise<boolean> => {
    const query = new URLSearchParams({ db, q: `SELECT value FROM ${PROBE}` });
    const answer = await call(url, token, 'GET', `../../query?${query.toString()}`);
    return answer.ok && answer.text.includes('"columns"');
  };
  const name = (): string => `permissions-${randomUUID()}`;
  return {
    read: async (target) => (await reads(target, `bucket: "${target.name}"`)) || (await readsByInfluxQl(target)),
    'read by ID': (target) => reads(target, `bucketID: "${target.id}"`),
    write: ({ token, orgID, id }) => does(token, 'POST', `write?orgID=${orgID}&bucket=${id}`, `${PROBE} value=2`),
    'delete points': ({ token, orgID, id }) =>
      does(token, 'POST', `delete?orgID=${orgID}&bucket=${id}`, POINTS_UNTIL_1970),
    'change retention': ({ token, id }) =>
      does(token, 'PATCH', `buckets/${id}`, { retentionRules: [{ type: 'expire', everySeconds: 0 }] }),
    'drop the bucket': ({ token, id }) => does(token, 'DELETE', `buckets/${id}`),
    'list tokens': async ({ token, orgID }) => {
      const answer = await call(url, token, 'GET', `authorizations?orgID=${orgID}`);
      return answer.ok && answer.text.includes('"token":');
    },
    'create a token': ({ token, orgID }) =>
      does(token, 'POST', 'authorizations', {
        orgID,
        description: name(),
        permissions: [{ action: 'read', resource: { type: 'buckets', orgID } }],
      }),
    'create a user': ({ token }) => does(token, 'POST', 'users', { name: name() }),
    'create a bucket': ({ token, orgID }) =>
      does(token, 'POST', 'buckets', { orgID, name: name(), retentionRules: [] }),
  };
}

async function call(url: string, token: string, method: string, path: string, body?: object | string) {
  const isText = typeof body === 'string';
  const headers = { authorization: `Token ${token}`, 'content-type': isText ? 'text/plain' : 'application/json' };
  const sent = body === undefined ? {} : { body: isText ? body : JSON.stringify(body) };
  const answer = await fetch(`${url}/api/v2/${path}`, { method, headers, ...sent });
  return { ok: answer.ok, status: answer.status, text: await answer.text() };
}
