import { AppError, messageOf, RefusalError } from '@lobbystats/errors';
import { createHttpClient } from '@lobbystats/service-kit';
import { z } from 'zod';

/** How long the server may take over one request, and how much it may answer. */
const LIMITS = { timeoutMs: 10_000, maxBytes: 16 * 1024 * 1024 };

const named = z.object({ id: z.string(), name: z.string() });
const organisations = z.object({ orgs: z.array(named) });
const buckets = z.object({ buckets: z.array(named) });
const authorization = z.object({
  id: z.string(),
  token: z.string().optional(),
  description: z.string().optional(),
  createdAt: z.string().optional(),
});
const authorizations = z.object({ authorizations: z.array(authorization) });
const refusal = z.object({ message: z.string() });

/** A right to what a token is for. */
export interface Permission {
  action: 'read' | 'write';
  resource: { type: 'buckets'; id: string; orgID: string };
}

export type Authorization = z.output<typeof authorization>;

/** What an administrator's token can do, as far as tokens of analysts need it. */
export type InfluxManagement = ReturnType<typeof influxManagement>;

/**
 * InfluxDB's management API.
 *
 * @throws (each call) AppError `unavailable` when the server is away; RefusalError when it refuses, in words for the operator
 */
export function influxManagement({ url, adminToken }: { url: string; adminToken: string }) {
  const { host } = new URL(url);
  const client = createHttpClient(LIMITS);

  const call = async (method: string, path: string, data?: object): Promise<unknown> => {
    const headers = { authorization: `Token ${adminToken}` };
    const answer = await client
      .request<unknown>({ method, baseURL: url, url: `api/v2/${path}`, headers, data })
      .catch(away);
    if (answer.status >= 500) throw new AppError('unavailable', `InfluxDB at ${host} answered ${answer.status}`);
    if (answer.status === 404) return undefined;
    if (answer.status === 401) throw new RefusalError(`InfluxDB at ${host} doesn't know the admin token (401)`);
    if (answer.status >= 400) {
      const said = refusal.safeParse(answer.data).data?.message ?? '';
      throw new RefusalError(`InfluxDB at ${host} refused ${method} ${path}: ${answer.status} ${said.slice(0, 200)}`);
    }
    return answer.data;
  };

  const read = async <T>(schema: z.ZodType<T>, asked: Promise<unknown>): Promise<T | undefined> => {
    const answer = await asked;
    if (answer === undefined) return undefined;
    const parsed = schema.safeParse(answer);
    if (!parsed.success) throw new AppError('unavailable', `What answers at ${host} isn't InfluxDB`);
    return parsed.data;
  };

  const away = (error: unknown): never => {
    throw new AppError('unavailable', `InfluxDB at ${host} can't be reached: ${messageOf(error)}`, { cause: error });
  };

  return {
    organisationId: async (name: string): Promise<string | undefined> => {
      const found = await read(organisations, call('GET', `orgs?${queryOf({ org: name })}`));
      return found?.orgs.find((one) => one.name === name)?.id;
    },
    bucketId: async (orgID: string, name: string): Promise<string | undefined> => {
      const found = await read(buckets, call('GET', `buckets?${queryOf({ orgID, name })}`));
      return found?.buckets.find((one) => one.name === name)?.id;
    },
    tokens: async (orgID: string): Promise<Authorization[]> => {
      const found = await read(authorizations, call('GET', `authorizations?${queryOf({ orgID })}`));
      return found?.authorizations ?? [];
    },
    makeToken: (orgID: string, description: string, permissions: Permission[]): Promise<Authorization | undefined> =>
      read(authorization, call('POST', 'authorizations', { orgID, description, permissions })),
    removeToken: async (id: string): Promise<void> => {
      await call('DELETE', `authorizations/${encodeURIComponent(id)}`);
    },
  };
}

function queryOf(values: Record<string, string>): string {
  return new URLSearchParams(values).toString();
}
