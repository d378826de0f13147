import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { testServers } from '@lobbystats/test-kit';
import { MongoClient, type Db } from 'mongodb';
import { openMongoPeopleStore } from '../services/user-api/src/adapters/mongo/mongo-people-store.ts';
import { openSqlitePeopleStore } from '../services/user-api/src/adapters/sqlite/sqlite-people-store.ts';
import type { PeopleStore } from '../services/user-api/src/domain/people-store.ts';
import { mongoPeople } from '../services/user-api/test/stored-mongo.ts';
import { areServersNamed } from './needed-servers.ts';

/** What the bare driver fetches of people: the same documents that the use cases are made of. */
interface BarePeople {
  profile(userKey: string): Promise<unknown>;
  achievements(userKey: string): Promise<unknown>;
  leaderboard(limit: number): Promise<unknown>;
}

/** A store of people of its own, and the bare driver on the same data. */
export interface PeoplePlace {
  readonly name: 'SQLite' | 'MongoDB';
  readonly store: PeopleStore;
  readonly bare: BarePeople;
  /** Closes both and removes all of it. */
  remove(): Promise<void>;
}

export type OpenPeoplePlace = () => Promise<PeoplePlace>;

const ORIGIN = 'simulated';

/** SQLite, and MongoDB where the environment names a server. */
export function peoplePlaces(say: (line: string) => void): OpenPeoplePlace[] {
  return areServersNamed(['mongodb'], (line) => say(`on MongoDB ${line}`)) ? [sqlitePlace, mongoPlace] : [sqlitePlace];
}

async function sqlitePlace(): Promise<PeoplePlace> {
  const directory = await mkdtemp(join(tmpdir(), 'lobbystats-people-'));
  const path = join(directory, 'users.sqlite');
  const store = openSqlitePeopleStore(`sqlite:${path}`, ORIGIN);
  const database = new DatabaseSync(path, { readOnly: true });
  return {
    name: 'SQLite',
    store,
    bare: bareSqlite(database),
    remove: async () => {
      database.close();
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function bareSqlite(database: DatabaseSync): BarePeople {
  const user = database.prepare('SELECT * FROM user WHERE key = ?');
  const profile = database.prepare('SELECT * FROM profile WHERE user_key = ?');
  const unlocks = database.prepare(
    'SELECT * FROM unlock WHERE user_key = ? AND unlocked_at > ? ORDER BY unlocked_at DESC, achievement_id',
  );
  const leaderboard = database.prepare(
    'SELECT username, score, unlock_count FROM user WHERE unlock_count > 0 ORDER BY score DESC, username LIMIT ?',
  );
  return {
    profile: async (key) => [user.get(key), profile.get(key), unlocks.all(key, aDayAgo())],
    achievements: async (key) => [user.get(key), unlocks.all(key, 0)],
    leaderboard: async (limit) => leaderboard.all(limit),
  };
}

async function mongoPlace(): Promise<PeoplePlace> {
  const name = `bench-people-${randomBytes(4).toString('hex')}`;
  const { url } = await mongoPeople(name);
  const admin = new MongoClient(testServers().mongodb.url);
  const client = new MongoClient(url);
  const store = await openMongoPeopleStore(url, ORIGIN);
  return {
    name: 'MongoDB',
    store,
    bare: bareMongo(client.db()),
    remove: async () => {
      await client.close();
      await store.close();
      await admin.db(name).removeUser('user-api');
      await admin.db(name).dropDatabase();
      await admin.close();
    },
  };
}

function bareMongo(db: Db): BarePeople {
  const user = db.collection<{ _id: string }>('user');
  const unlocks = (userKey: string, since: number) =>
    db
      .collection('unlock')
      .find({ userKey, unlockedAt: { $gt: since } })
      .sort({ unlockedAt: -1, achievementId: 1 })
      .toArray();
  return {
    profile: async (key) => [await user.findOne({ _id: key }), await unlocks(key, aDayAgo())],
    achievements: (key) => Promise.all([user.findOne({ _id: key }), unlocks(key, 0)]),
    leaderboard: (limit) =>
      user
        .find({ rankedScore: { $gte: 0 } }, { projection: { username: 1, score: 1, unlockCount: 1 } })
        .sort({ rankedScore: -1, username: 1 })
        .limit(limit)
        .toArray(),
  };
}

function aDayAgo(): number {
  return Math.floor(Date.now() / 1000) - 86_400;
}
