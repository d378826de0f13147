import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { testServers } from '@lobbystats/test-kit';
import { MongoClient } from 'mongodb';
import { openMongoCatalogStore } from '../services/catalog-api/src/adapters/mongo/mongo-catalog-store.ts';
import { openSqliteCatalogStore } from '../services/catalog-api/src/adapters/sqlite/sqlite-catalog-store.ts';
import type { CatalogStore } from '../services/catalog-api/src/domain/catalog-store.ts';
import { mongoTitles } from '../services/catalog-api/test/mongo-titles.ts';
import { bareMongoSearch, bareSqliteSearch, type BareTimeSearch } from './bare-time-search.ts';
import { areServersNamed } from './needed-servers.ts';

/** A catalog's store of its own, and the bare driver on the same data. */
export interface CatalogPlace {
  readonly name: 'SQLite' | 'MongoDB';
  readonly store: CatalogStore;
  readonly bare: BareTimeSearch;
  /** Megabytes on the disk. */
  megabytes(): Promise<number>;
  /** Closes both and removes all of it. */
  remove(): Promise<void>;
}

/** How a place is made. */
export type OpenPlace = () => Promise<CatalogPlace>;

export const ORIGIN = 'simulated';

/** SQLite, and MongoDB where the environment names a server. */
export function catalogPlaces(say: (line: string) => void): OpenPlace[] {
  return areServersNamed(['mongodb'], (line) => say(`on MongoDB ${line}`)) ? [sqlitePlace, mongoPlace] : [sqlitePlace];
}

/** A file in a temporary directory. */
async function sqlitePlace(): Promise<CatalogPlace> {
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

async function mongoPlace(): Promise<CatalogPlace> {
  const name = `bench-catalog-${randomBytes(4).toString('hex')}`;
  const { url } = await mongoTitles(name);
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
