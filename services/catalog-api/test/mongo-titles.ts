import { openMongoStore, provisionMongo } from '@lobbystats/mongo-store';
import { testServers } from '@lobbystats/test-kit';
import { catalogSchema } from '../src/service.ts';

/** A prepared database on the test server, as the service's own user has it. */
export interface MongoTitles {
  readonly url: string;
  /** Leaves it as it was prepared. */
  empty(): Promise<void>;
}

/**
 * Prepares a database for titles.
 *
 * @param adminUrl the server's; default: that of the run
 * @param schema what it is prepared for; default: what this release has there
 */
export async function mongoTitles(
  database: string,
  adminUrl = testServers().mongodb.url,
  schema = catalogSchema,
): Promise<MongoTitles> {
  const user = { user: 'catalog-api', password: 'p@ss/word' };
  await provisionMongo({ adminUrl, database, ...user, schema, log: () => undefined });
  const url = new URL(adminUrl);
  url.username = user.user;
  url.password = encodeURIComponent(user.password);
  url.pathname = database;
  return {
    url: url.href,
    async empty() {
      const store = await openMongoStore({ url: url.href, schema: catalogSchema, origin: 'simulated' });
      for (const { name } of catalogSchema.collections) await store.collection(name).deleteMany({});
      await store.close();
    },
  };
}
