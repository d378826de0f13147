import { RefusalError } from '@lobbystats/errors';
import { bucketPermissions, influxBuckets, influxManagement } from '@lobbystats/series-api';

const DESCRIPTION = 'lobbystats analyst ';

export interface AnalystTokensOptions {
  url: string;
  adminToken: string;
  org: string;
  /** Default: the series' two buckets. */
  buckets?: readonly string[];
}

interface AnalystToken {
  name: string;
  madeAt: string;
}

export interface AnalystTokens {
  /**
   * Creates a read-only token.
   *
   * @throws RefusalError when the name has one already
   */
  make(name: string): Promise<string>;
  list(): Promise<AnalystToken[]>;
  /**
   * Revokes a token at once.
   *
   * @throws RefusalError when the name has none
   */
  revoke(name: string): Promise<void>;
}

/** Methods throw RefusalError, or AppError `unavailable`. */
export function analystTokens(options: AnalystTokensOptions): AnalystTokens {
  const { url, adminToken, org } = options;
  const buckets: readonly string[] = options.buckets ?? Object.values(influxBuckets);
  const client = influxManagement.adminClient({ url, token: adminToken, tokenName: 'admin token' });

  const organisation = async (): Promise<string> => {
    const id = await influxManagement.organisationId(client, org);
    if (id === undefined) throw new RefusalError(`InfluxDB has no organisation "${org}": set INFLUXDB_ORG`);
    return id;
  };
  const idOf = async (bucket: string, orgId: string): Promise<string> => {
    const id = (await influxManagement.bucketOf(client, bucket, orgId))?.id;
    if (id !== undefined) return id;
    throw new RefusalError(`InfluxDB has no bucket ${bucket}: run the init job (npm run provision)`);
  };
  const madeFor = async (orgId: string, name: string) =>
    (await influxManagement.tokensOf(client, orgId)).filter(({ description }) => description === DESCRIPTION + name);

  return {
    make: async (name) => {
      const orgId = await organisation();
      if ((await madeFor(orgId, name)).length > 0) {
        throw new RefusalError(`${name} has a token already: --revoke ${name} takes it away`);
      }
      // One after the other: the first bucket that is missing is the one reported.
      const ids = await Array.fromAsync(buckets, (bucket) => idOf(bucket, orgId));
      const permissions = ids.flatMap((id) => bucketPermissions('analyst', id, orgId));
      return influxManagement.makeToken(client, { orgID: orgId, description: DESCRIPTION + name, permissions });
    },
    list: async () => {
      const tokens = await influxManagement.tokensOf(client, await organisation());
      return tokens
        .filter(({ description = '' }) => description.startsWith(DESCRIPTION))
        .map(({ description = '', createdAt = '' }) => ({
          name: description.slice(DESCRIPTION.length),
          madeAt: createdAt,
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    revoke: async (name) => {
      const tokens = await madeFor(await organisation(), name);
      if (tokens.length === 0) throw new RefusalError(`${name} has no token: --list shows who has one`);
      for (const token of tokens) await influxManagement.removeToken(client, token);
    },
  };
}
