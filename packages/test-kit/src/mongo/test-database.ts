import { openMongoStore, provisionMongo, type MongoSchema } from '@lobbystats/service-kit/mongo';
import { testServers } from '../test-servers.ts';

/** A provisioned database on the test server, with the permissions of a service. */
export interface TestDatabase {
  readonly url: string;
  /** Deletes all documents. */
  clear(): Promise<void>;
}

export interface TestDatabaseOptions {
  database: string;
  user: string;
  schema: MongoSchema;
  /** Default: the shared test server. */
  adminUrl?: string | undefined;
}

/** Needs escaping in a URL. */
const PASSWORD = 'p@ss/word';

/** Provisions a database and its user. */
export async function createTestDatabase({
  database,
  user,
  schema,
  adminUrl = testServers().mongodb.url,
}: TestDatabaseOptions): Promise<TestDatabase> {
  await provisionMongo({ adminUrl, database, user, password: PASSWORD, schema, log: () => undefined });
  const url = new URL(adminUrl);
  url.username = user;
  url.password = encodeURIComponent(PASSWORD);
  url.pathname = database;
  return {
    url: url.href,
    async clear() {
      const store = await openMongoStore({ url: url.href, schema, origin: 'simulated' });
      for (const { name } of schema.collections) await store.collection(name).deleteMany({});
      await store.close();
    },
  };
}
