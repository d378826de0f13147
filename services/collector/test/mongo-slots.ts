import { openMongoStore, provisionMongo } from '@lobbystats/mongo-store';
import { testServers } from '@lobbystats/test-kit';
import { collectorSchema } from '../src/service.ts';

/** A prepared database on the test server, as the service's own user has it. */
export interface MongoSlots {
  readonly url: string;
  /** Leaves it as it was prepared. */
  empty(): Promise<void>;
}

/**
 * Prepares a database for a collector.
 *
 * @param adminUrl the server's; default: that of the run
 */
export async function mongoSlots(database: string, adminUrl = testServers().mongodb.url): Promise<MongoSlots> {
  const user = { user: 'collector', password: 'collector-password' };
  await provisionMongo({ adminUrl, database, ...user, schema: collectorSchema, log: () => undefined });
  const url = new URL(adminUrl);
  url.username = user.user;
  url.password = user.password;
  url.pathname = database;
  return {
    url: url.href,
    async empty() {
      const store = await openMongoStore({ url: url.href, schema: collectorSchema, origin: 'simulated' });
      for (const { name } of collectorSchema.collections) await store.collection(name).deleteMany({});
      await store.close();
    },
  };
}
