import { HttpError, InfluxDB, type SendOptions } from '@influxdata/influxdb-client';
import {
  AuthorizationsAPI,
  BucketsAPI,
  MeAPI,
  OrgsAPI,
  SigninAPI,
  UsersAPI,
  type Authorization,
  type AuthorizationPostRequest,
  type Bucket,
} from '@influxdata/influxdb-client-apis';
import { AppError, StartupError, hasCode } from '@lobbystats/contracts/errors';
import pRetry from 'p-retry';

export interface AdminClientOptions {
  readonly url: string;
  readonly token: string;
  readonly tokenName?: string;
  readonly timeoutMs?: number;
}

/**
 * Management API client with a timeout for each request. A request throws AppError `unavailable` when the server is
 * unreachable or fails, and StartupError with a message for the operator when it refuses.
 */
export function adminClient({ url, token, tokenName = 'token', timeoutMs = 10_000 }: AdminClientOptions): InfluxDB {
  const { host } = new URL(url);
  const client = new InfluxDB({ url, token, timeout: 0 });
  const { transport } = client;
  const [request, iterate] = [transport.request.bind(transport), transport.iterate.bind(transport)];
  // The APIs take no signal, and the client's timeout leaves the connection open.
  const limited = (options: SendOptions): SendOptions => ({ ...options, signal: AbortSignal.timeout(timeoutMs) });
  const failed = (path: string, { method }: SendOptions, error: unknown): never => {
    throw adminFault(error, { host, tokenName, what: `${method} ${path.replace(/\?.*/, '')}` });
  };
  transport.request = (path, body, options, started) =>
    request(path, body, limited(options), started).catch((error: unknown) => failed(path, options, error));
  transport.iterate = async function* (path, body, options) {
    try {
      yield* iterate(path, body, limited(options));
    } catch (error) {
      failed(path, options, error);
    }
  };
  return client;
}

type WithId<T> = T & { id: string };

interface RequestInfo {
  host: string;
  what: string;
  tokenName: string;
}

function adminFault(error: unknown, { host, what, tokenName }: RequestInfo): Error {
  if (!(error instanceof HttpError)) {
    return new AppError('unavailable', `InfluxDB at ${host} can't be reached`, { cause: error });
  }
  const { statusCode: status, message } = error;
  if (status === 429 || status >= 500) return new AppError('unavailable', `InfluxDB at ${host} returned ${status}`);
  if (status === 401) return new StartupError(`InfluxDB at ${host} doesn't know the ${tokenName} (401)`);
  const refusal = `InfluxDB at ${host} refused ${what}: ${status} ${message.slice(0, 300)}`;
  return new StartupError(refusal, { cause: error });
}

export async function organisationId(client: InfluxDB, name: string): Promise<string | undefined> {
  const { orgs } = await new OrgsAPI(client).getOrgs({ org: name }).catch(undefinedIfNotFound);
  return orgs?.find((org) => org.name === name)?.id;
}

export async function bucketOf(client: InfluxDB, name: string, orgID?: string): Promise<WithId<Bucket> | undefined> {
  const { buckets } = await new BucketsAPI(client)
    .getBuckets({ name, ...(orgID !== undefined && { orgID }) })
    .catch(undefinedIfNotFound);
  return buckets?.find((bucket): bucket is WithId<Bucket> => bucket.name === name && bucket.id !== undefined);
}

export async function tokensOf(client: InfluxDB, orgID: string): Promise<Authorization[]> {
  return (await new AuthorizationsAPI(client).getAuthorizations({ orgID })).authorizations ?? [];
}

export async function createToken(client: InfluxDB, body: AuthorizationPostRequest): Promise<string> {
  const { token } = await new AuthorizationsAPI(client).postAuthorizations({ body });
  if (token === undefined) throw new StartupError('InfluxDB created a token without returning it');
  return token;
}

/** Whether the server accepts the token, and lets it see the bucket. */
export async function isKnownToken(url: string, token: string, bucket: string): Promise<boolean> {
  try {
    return (await bucketOf(adminClient({ url, token }), bucket)) !== undefined;
  } catch (error) {
    if (error instanceof StartupError) return false;
    throw error;
  }
}

export async function removeToken(client: InfluxDB, { id = '' }: Authorization): Promise<void> {
  await new AuthorizationsAPI(client).deleteAuthorizationsID({ authID: id });
}

/** The user whose token the client has. */
export async function ownUser(client: InfluxDB): Promise<string> {
  return (await new MeAPI(client).getMe()).id ?? '';
}

/** Creates a token with the rights of `token`. */
export async function copyToken(client: InfluxDB, token: string): Promise<string> {
  const found = await authorizationOf(client, token);
  if (found?.orgID === undefined) throw new StartupError('InfluxDB does not list the token that is to be replaced');
  const { orgID, permissions = [], description = '' } = found;
  return createToken(client, { orgID, description, permissions });
}

export async function revokeToken(client: InfluxDB, token: string): Promise<void> {
  const found = await authorizationOf(client, token);
  if (found !== undefined) await removeToken(client, found);
}

async function authorizationOf(client: InfluxDB, token: string): Promise<Authorization | undefined> {
  const { authorizations = [] } = await new AuthorizationsAPI(client).getAuthorizations({});
  return authorizations.find((one) => one.token === token);
}

/** Sets the password of the user whose token the client has. */
export async function setOwnPassword(client: InfluxDB, password: string): Promise<void> {
  await new UsersAPI(client).postUsersIDPassword({ userID: await ownUser(client), body: { password } });
}

/** Resolves if the server accepts the password. */
export async function signIn(url: string, user: string, password: string): Promise<void> {
  await new SigninAPI(adminClient({ url, token: '' })).postSignin({ auth: { user, password } });
}

function undefinedIfNotFound(error: unknown): Record<string, undefined> {
  if (error instanceof StartupError && error.cause instanceof HttpError && error.cause.statusCode === 404) return {};
  throw error;
}

/** Delay before an unreachable server is tried again. */
const RETRY_INTERVAL_MS = 500;

/**
 * Retries while a server is starting.
 *
 * @throws the last error if it is still `unavailable` after `waitMs`; any other error at once
 */
export function retryUntilAvailable<T>(ask: () => Promise<T>, waitMs: number): Promise<T> {
  return pRetry(ask, {
    retries: Infinity,
    factor: 1,
    minTimeout: RETRY_INTERVAL_MS,
    maxRetryTime: waitMs,
    shouldRetry: ({ error }) => hasCode(error, 'unavailable'),
  });
}
