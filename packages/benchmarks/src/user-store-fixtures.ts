import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { testServers } from '@lobbystats/test-kit';
import { createTestDatabase } from '@lobbystats/test-kit/test-database';
import { userSchema } from '@lobbystats/user-api/admin';
import { MongoClient, type Db } from 'mongodb';
import { openMongoUserDatabase } from '@lobbystats/user-api/user-database.mongo';
import { openSqliteUserDatabase } from '@lobbystats/user-api/user-database.sqlite';
import type { UserDatabase } from '@lobbystats/user-api/user-database';
import { areServersConfigured } from './are-servers-configured.ts';

/** Reads the same documents as the use cases, by the bare driver. */
interface BareUserQueries {
  profile(userKey: string): Promise<unknown>;
  achievements(userKey: string): Promise<unknown>;
  leaderboard(limit: number): Promise<unknown>;
}

/** An empty user store, and the bare driver on the same data. */
export interface UserStoreFixture {
  readonly name: 'SQLite' | 'MongoDB';
  readonly store: UserDatabase;
  readonly bare: BareUserQueries;
  /** Closes both and deletes the data. */
  remove(): Promise<void>;
}

export type OpenUserStoreFixture = () => Promise<UserStoreFixture>;

const ORIGIN = 'simulated';

/** SQLite, and MongoDB if the environment names a server. */
export function userStoreFixtures(say: (line: string) => void): OpenUserStoreFixture[] {
  return areServersConfigured(['mongodb'], (line) => say(`on MongoDB ${line}`))
    ? [openSqliteFixture, openMongoFixture]
    : [openSqliteFixture];
}

async function openSqliteFixture(): Promise<UserStoreFixture> {
  const directory = await mkdtemp(join(tmpdir(), 'lobbystats-people-'));
  const path = join(directory, 'users.sqlite');
  const store = openSqliteUserDatabase(`sqlite:${path}`, ORIGIN);
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

function bareSqlite(database: DatabaseSync): BareUserQueries {
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

async function openMongoFixture(): Promise<UserStoreFixture> {
  const name = `bench-people-${randomBytes(4).toString('hex')}`;
  const { url } = await createTestDatabase({ database: name, user: 'user-api', schema: userSchema });
  const admin = new MongoClient(testServers().mongodb.url);
  const client = new MongoClient(url);
  const store = await openMongoUserDatabase(url, ORIGIN);
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

function bareMongo(db: Db): BareUserQueries {
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
