import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { catalogSchema } from '@lobbystats/catalog-api/admin';
import { testServers } from '@lobbystats/test-kit';
import { createTestDatabase } from '@lobbystats/test-kit/test-database';
import { MongoClient } from 'mongodb';
import { openMongoCatalogStore } from '@lobbystats/catalog-api/catalog-store.mongo';
import { openSqliteCatalogStore } from '@lobbystats/catalog-api/catalog-store.sqlite';
import type { CatalogStore } from '@lobbystats/catalog-api/catalog-store';
import { bareMongoSearch, bareSqliteSearch, type BareTimeSearch } from './bare-time-search.ts';
import { areServersConfigured } from './are-servers-configured.ts';

/** An empty catalog store, and the bare driver on the same data. */
export interface CatalogFixture {
  readonly name: 'SQLite' | 'MongoDB';
  readonly store: CatalogStore;
  readonly bare: BareTimeSearch;
  /** Size on disk. */
  megabytes(): Promise<number>;
  /** Closes both and deletes the data. */
  remove(): Promise<void>;
}

export type OpenCatalogFixture = () => Promise<CatalogFixture>;

export const ORIGIN = 'simulated';

/** SQLite, and MongoDB if the environment names a server. */
export function catalogFixtures(say: (line: string) => void): OpenCatalogFixture[] {
  return areServersConfigured(['mongodb'], (line) => say(`on MongoDB ${line}`))
    ? [openSqliteFixture, openMongoFixture]
    : [openSqliteFixture];
}

/** A file in a temporary directory. */
async function openSqliteFixture(): Promise<CatalogFixture> {
  const directory = await mkdtemp(join(tmpdir(), 'lobbystats-catalog-'));
  const path = join(directory, 'catalog.sqlite');
  const store = openSqliteCatalogStore(`sqlite:${path}`, ORIGIN);
  const database = new DatabaseSync(path, { readOnly: true });
  return {
    name: 'SQLite',
    store,
    bare: bareSqliteSearch(database),
    megabytes: () => {
      const size = database.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size');
      return Promise.resolve(Number(size.get()?.['bytes']) / 1e6);
    },
    remove: async () => {
      database.close();
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function openMongoFixture(): Promise<CatalogFixture> {
  const name = `bench-catalog-${randomBytes(4).toString('hex')}`;
  const { url } = await createTestDatabase({ database: name, user: 'catalog-api', schema: catalogSchema });
  const admin = new MongoClient(testServers().mongodb.url);
  const client = new MongoClient(url);
  const store = await openMongoCatalogStore(url, ORIGIN);
  return {
    name: 'MongoDB',
    store,
    bare: bareMongoSearch(client.db()),
    megabytes: async () => {
      const { storageSize, indexSize } = await admin.db(name).stats();
      return (Number(storageSize) + Number(indexSize)) / 1e6;
    },
    remove: async () => {
      await client.close();
      await store.close();
      await admin.db(name).removeUser('catalog-api');
      await admin.db(name).dropDatabase();
      await admin.close();
    },
  };
}
