import { AppError, messageOf, RefusalError } from '@lobbystats/errors';
import { z } from 'zod';

/** How long the server may take over one management request. */
const REQUEST_MS = 10_000;

const bucket = z.object({
  id: z.string(),
  name: z.string(),
  retentionRules: z.array(z.object({ everySeconds: z.number(), shardGroupDurationSeconds: z.number().optional() })),
});
const authorization = z.object({
  id: z.string(),
  token: z.string().optional(),
  status: z.string(),
  description: z.string().optional(),
  /** RFC 3339. */
  createdAt: z.string().optional(),
  orgID: z.string(),
  permissions: z.array(
    z.object({ action: z.string(), resource: z.object({ type: z.string(), id: z.string().optional() }) }),
  ),
});
const buckets = z.object({ buckets: z.array(bucket) });
const authorizations = z.object({ authorizations: z.array(authorization) });
const organisations = z.object({ orgs: z.array(z.object({ id: z.string(), name: z.string() })) });

export type Bucket = z.output<typeof bucket>;
export type Authorization = z.output<typeof authorization>;

/** What the server's management API can do, as far as it is needed here. */
export type ManagementApi = ReturnType<typeof managementApi>;

interface ManagementApiOptions {
  /** `http(s)://host:port`. */
  url: string;
  token: string;
  /** What an operator knows the token as. */
  tokenName?: string;
}

/**
 * InfluxDB's management API over plain HTTP.
 *
 * @throws (each call) AppError `unavailable` when the server is away; RefusalError when it refuses, in words for the operator
 */
export function managementApi({ url, token, tokenName = 'token' }: ManagementApiOptions) {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const { host } = new URL(url);
    const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
    let status: number;
    let text: string;
    try {
      const signal = AbortSignal.timeout(REQUEST_MS);
      const request = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(new URL(`api/v2/${path}`, `${url}/`), request);
      status = response.status;
      text = await response.text();
    } catch (error) {
      throw new AppError('unavailable', `InfluxDB at ${host} can't be reached`, { cause: error });
    }
    if (status >= 500) throw new AppError('unavailable', `InfluxDB at ${host} answered ${status}`);
    if (status === 404 && method === 'GET') return undefined;
    if (status === 401) throw new RefusalError(`InfluxDB at ${host} doesn't know the ${tokenName} (401)`);
    if (status >= 400)
      throw new RefusalError(`InfluxDB at ${host} refused ${method} ${path}: ${status} ${reason(text)}`);
    return text === '' ? undefined : readJson(text, host);
  };

  return {
    organisation: async (name: string): Promise<string | undefined> => {
      const found = await call('GET', `orgs?${queryOf({ org: name })}`);
      return organisations
        .optional()
        .parse(found)
        ?.orgs.find((org) => org.name === name)?.id;
    },
    bucket: async (orgId: string | undefined, name: string): Promise<Bucket | undefined> => {
      const query = queryOf({ name, ...(orgId !== undefined && { orgID: orgId }) });
      const found = await call('GET', `buckets?${query}`);
      return buckets
        .optional()
        .parse(found)
        ?.buckets.find((one) => one.name === name);
    },
    createBucket: async (orgID: string, name: string, rules: object): Promise<Bucket> =>
      bucket.parse(await call('POST', 'buckets', { orgID, name, retentionRules: [rules] })),
    updateBucket: async (id: string, rules: object): Promise<void> => {
      await call('PATCH', `buckets/${id}`, { retentionRules: [rules] });
    },
    authorizations: async (orgID: string): Promise<Authorization[]> => {
      const found = await call('GET', `authorizations?${queryOf({ orgID })}`);
      return authorizations.parse(found).authorizations;
    },
    createAuthorization: async (orgID: string, description: string, permissions: object[]): Promise<Authorization> =>
      authorization.parse(await call('POST', 'authorizations', { orgID, description, permissions })),
    deleteAuthorization: async (id: string): Promise<void> => {
      await call('DELETE', `authorizations/${id}`);
    },
  };
}

function queryOf(values: Record<string, string>): string {
  return new URLSearchParams(values).toString();
}

function readJson(text: string, host: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('unavailable', `What answers at ${host} isn't InfluxDB: ${messageOf(error)}`);
  }
}

/** The server's own word, which has no secret in it. */
function reason(text: string): string {
  const found = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  return (found ?? '').slice(0, 200);
}
