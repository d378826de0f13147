import os from 'node:os';
import { MongoClient, type Document } from 'mongodb';
import { testServers } from '../test-servers.ts';

/** Profiled operations of the test server in a database. */
export interface MongoOperations {
  /** Resolves to the operations during the work. */
  during(work: () => Promise<unknown>): Promise<Document[]>;
  close(): Promise<void>;
}

/** Profiles a database on demand. */
export function mongoOperations(database: string): MongoOperations {
  const admin = new MongoClient(testServers().mongodb.url, { runtimeAdapters: { os } });
  const db = admin.db(database);
  const filter = { 'command.profile': { $exists: false }, ns: { $ne: `${database}.system.profile` } };
  return {
    async during(work) {
      await db.command({ profile: 0 });
      await db.dropCollection('system.profile').catch(() => undefined);
      await db.command({ profile: 2 });
      await work();
      await db.command({ profile: 0 });
      return db.collection('system.profile').find(filter).toArray();
    },
    async close() {
      await db.command({ profile: 0 });
      await admin.close();
    },
  };
}
