import { HttpError } from '@influxdata/influxdb-client';
import {
  type Authorization,
  AuthorizationsAPI,
  type Bucket,
  BucketsAPI,
  OrgsAPI,
  type Permission,
  type RetentionRule,
} from '@influxdata/influxdb-client-apis';
import { AppError, RefusalError } from '@lobbystats/errors';
import { adminRequest, type AdminRequest, type AskedInflux } from './admin-request.ts';

/** What a server has made has an ID: the package's types leave it open. */
type Made<T> = T & { id: string };

/** What the server's management API can do, as far as it is needed here. */
export type ManagementApi = ReturnType<typeof managementApi>;

/**
 * InfluxDB's management API.
 *
 * @throws (each call) AppError `unavailable` when the server is away; RefusalError when it refuses, in words for the operator
 */
export function managementApi(server: AskedInflux) {
  const call = async <T>(what: string, ask: AdminRequest<T>['ask']): Promise<T> => {
    const answer = await adminRequest(server, { what, ask });
    // The client hands on what isn't JSON as it is.
    if (typeof answer === 'string' || Buffer.isBuffer(answer)) throw noInflux();
    return answer;
  };

  return {
    organisation: async (name: string): Promise<string | undefined> => {
      const { orgs } = await call('to look up an organisation', (influx, options) =>
        new OrgsAPI(influx).getOrgs({ org: name }, options).catch(ifThere),
      );
      return orgs?.find((org) => org.name === name)?.id;
    },
    bucket: async (orgID: string | undefined, name: string): Promise<Made<Bucket> | undefined> => {
      const wanted = orgID === undefined ? { name } : { name, orgID };
      const { buckets } = await call('to look up a bucket', (influx, options) =>
        new BucketsAPI(influx).getBuckets(wanted, options).catch(ifThere),
      );
      return buckets?.map(made).find((one) => one.name === name);
    },
    createBucket: async (orgID: string, name: string, rule: RetentionRule): Promise<Made<Bucket>> => {
      const body = { orgID, name, retentionRules: [rule] };
      return made(
        await call('to make a bucket', (influx, options) => new BucketsAPI(influx).postBuckets({ body }, options)),
      );
    },
    updateBucket: async (bucketID: string, rule: RetentionRule): Promise<void> => {
      const change = { bucketID, body: { retentionRules: [rule] } };
      await call('to change a bucket', (influx, options) => new BucketsAPI(influx).patchBucketsID(change, options));
    },
    authorizations: async (orgID: string): Promise<Made<Authorization>[]> => {
      const { authorizations } = await call('to list tokens', (influx, options) =>
        new AuthorizationsAPI(influx).getAuthorizations({ orgID }, options),
      );
      return (authorizations ?? []).map(made);
    },
    /** Resolves to the token. */
    createAuthorization: async (orgID: string, description: string, permissions: Permission[]): Promise<string> => {
      const body = { orgID, description, permissions };
      const { token } = await call('to make a token', (influx, options) =>
        new AuthorizationsAPI(influx).postAuthorizations({ body }, options),
      );
      if (token === undefined) throw new RefusalError('InfluxDB made a token and did not tell it');
      return token;
    },
    deleteAuthorization: async (authID: string): Promise<void> => {
      await call('to remove a token', (influx, options) =>
        new AuthorizationsAPI(influx).deleteAuthorizationsID({ authID }, options),
      );
    },
  };
}

/** A name that nothing has is 404 to some lists, and to others an empty list. */
function ifThere(error: unknown): Record<string, undefined> {
  if (error instanceof HttpError && error.statusCode === 404) return {};
  throw error;
}

function made<T extends { readonly id?: string }>(one: T): Made<T> {
  if (one.id === undefined) throw noInflux();
  return { ...one, id: one.id };
}

function noInflux(): AppError {
  return new AppError('unavailable', "What answers at InfluxDB's URL isn't InfluxDB");
}
