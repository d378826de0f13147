import { StartupError } from '@lobbystats/contracts/errors';
import { bucketPermissions, influxBuckets, influxManagement } from '@lobbystats/series-api/admin';

const DESCRIPTION = 'lobbystats analyst ';

export interface AnalystTokensOptions {
  url: string;
  adminToken: string;
  org: string;
  /** Default: the series' two buckets. */
  buckets?: readonly string[];
}

export type AnalystTokens = ReturnType<typeof analystTokens>;

/** Methods throw StartupError, or AppError `unavailable`. */
export function analystTokens(options: AnalystTokensOptions) {
  const { url, adminToken, org } = options;
  const buckets: readonly string[] = options.buckets ?? Object.values(influxBuckets);
  const client = influxManagement.adminClient({ url, token: adminToken, tokenName: 'admin token' });

  const organisation = async (): Promise<string> => {
    const id = await influxManagement.organisationId(client, org);
    if (id === undefined) throw new StartupError(`InfluxDB has no organisation "${org}": set INFLUXDB_ORG`);
    return id;
  };
  const idOf = async (bucket: string, orgId: string): Promise<string> => {
    const id = (await influxManagement.bucketOf(client, bucket, orgId))?.id;
    if (id !== undefined) return id;
    throw new StartupError(`InfluxDB has no bucket ${bucket}: run the init job (npx lobbystats provision)`);
  };
  const tokensNamed = async (orgId: string, name: string) =>
    (await influxManagement.tokensOf(client, orgId)).filter(({ description }) => description === DESCRIPTION + name);

  return {
    /**
     * Creates a read-only token.
     *
     * @throws StartupError when the name already has one
     */
    create: async (name: string): Promise<string> => {
      const orgId = await organisation();
      if ((await tokensNamed(orgId, name)).length > 0) {
        throw new StartupError(`${name} already has a token; --revoke ${name} deletes it`);
      }
      // Sequential, so that the first missing bucket is reported.
      const ids = await Array.fromAsync(buckets, (bucket) => idOf(bucket, orgId));
      const permissions = ids.flatMap((id) => bucketPermissions('analyst', id, orgId));
      return influxManagement.createToken(client, { orgID: orgId, description: DESCRIPTION + name, permissions });
    },
    list: async () => {
      const tokens = await influxManagement.tokensOf(client, await organisation());
      return tokens
        .filter(({ description = '' }) => description.startsWith(DESCRIPTION))
        .map(({ description = '', createdAt = '' }) => ({ name: description.slice(DESCRIPTION.length), createdAt }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    /**
     * Revokes a token at once.
     *
     * @throws StartupError when the name has none
     */
    revoke: async (name: string): Promise<void> => {
      const tokens = await tokensNamed(await organisation(), name);
      if (tokens.length === 0) throw new StartupError(`${name} has no token; --list shows all tokens`);
      for (const token of tokens) await influxManagement.removeToken(client, token);
    },
  };
}
