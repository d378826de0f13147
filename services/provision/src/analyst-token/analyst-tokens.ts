import { RefusalError } from '@lobbystats/errors';
import { bucketPermissions, influxBuckets, influxManagement } from '@lobbystats/series-api';

/** By this the tokens of analysts are told from others. */
const DESCRIPTION = 'lobbystats analyst ';

export interface AnalystTokensOptions {
  /** `http(s)://host:port`. */
  url: string;
  /** May make and remove tokens. */
  adminToken: string;
  org: string;
  /** What they may read; by default the series' two buckets. */
  buckets?: readonly string[];
}

/** A token that was made for an analyst, without the token itself. */
interface AnalystToken {
  name: string;
  /** RFC 3339; "" where the server doesn't say. */
  madeAt: string;
}

/** The tokens by which analysts read InfluxDB: one a name. */
export interface AnalystTokens {
  /**
   * Makes a token that can read the buckets, and can't write, delete or see anything else. Resolves to the token.
   *
   * @throws RefusalError when the name has one already
   */
  make(name: string): Promise<string>;
  /** By name. */
  list(): Promise<AnalystToken[]>;
  /**
   * Takes a name's token away: its next query is refused.
   *
   * @throws RefusalError when the name has none
   */
  revoke(name: string): Promise<void>;
}

/**
 * Each call throws RefusalError when the server refuses or lacks the organisation or a bucket, and AppError `unavailable` when
 * it is away.
 */
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
