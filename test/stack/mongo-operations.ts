import os from 'node:os';
import { testServers } from '@lobbystats/test-kit';
import { MongoClient, type Document } from 'mongodb';

/** What the test server does in a database, as its profiler has it. */
export interface MongoOperations {
  /** What it did for this. */
  of(work: () => Promise<unknown>): Promise<Document[]>;
  close(): Promise<void>;
}

/** Profiles a database while it is asked to. */
export function mongoOperations(database: string): MongoOperations {
  const admin = new MongoClient(testServers().mongodb.url, { runtimeAdapters: { os } });
  const db = admin.db(database);
  const made = { 'command.profile': { $exists: false }, ns: { $ne: `${database}.system.profile` } };
  return {
    async of(work) {
      await db.command({ profile: 0 });
      await db.dropCollection('system.profile').catch(() => undefined);
      await db.command({ profile: 2 });
      await work();
      await db.command({ profile: 0 });
      return db.collection('system.profile').find(made).toArray();
    },
    async close() {
      await db.command({ profile: 0 });
      await admin.close();
    },
  };
}
