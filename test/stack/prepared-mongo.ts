import { openMongoStore, provisionMongo, type MongoSchema } from '@lobbystats/mongo-store';
import { testServers } from '@lobbystats/test-kit';

/** A prepared database on the test server, as a service's own user has it. */
export interface PreparedMongo {
  readonly url: string;
  /** Leaves it as it was prepared. */
  empty(): Promise<void>;
}

export interface PreparedMongoOptions {
  database: string;
  user: string;
  schema: MongoSchema;
  /** The server's; default: that of the run. */
  adminUrl?: string | undefined;
}

/** One that a URL has to escape. */
const PASSWORD = 'p@ss/word';

/** Prepares a database, and its user. */
export async function preparedMongo({
  database,
  user,
  schema,
  adminUrl = testServers().mongodb.url,
}: PreparedMongoOptions): Promise<PreparedMongo> {
  await provisionMongo({ adminUrl, database, user, password: PASSWORD, schema, log: () => undefined });
  const url = new URL(adminUrl);
  url.username = user;
  url.password = encodeURIComponent(PASSWORD);
  url.pathname = database;
  return {
    url: url.href,
    async empty() {
      const store = await openMongoStore({ url: url.href, schema, origin: 'simulated' });
      for (const { name } of schema.collections) await store.collection(name).deleteMany({});
      await store.close();
    },
  };
}
