import { randomBytes } from 'node:crypto';
import { nameKey } from '@lobbystats/contracts';
import type { MongoOutbox, MongoSchema, MongoStore } from '@lobbystats/mongo-store';
import { keyedHash } from '@lobbystats/service-kit';
import type { TrackedUser, PlayerStore } from './player-store.ts';
import type { LogRow } from '../leaderboards/board-rows.mongo.ts';
import type { BoardProjection } from '../leaderboards/board-projection.mongo.ts';

export const userCollections: MongoSchema['collections'] = [
  { name: 'person', indexes: [{ name: 'by_player', keys: { playerKey: 1 } }] },
  { name: 'forgotten', indexes: [] },
];

export async function initErasureKey(store: MongoStore): Promise<void> {
  const first = { key: randomBytes(32).toString('hex') };
  await store.run(() =>
    store.collection<ErasureKeyRow>('catalog').updateOne({ _id: 'marks' }, { $setOnInsert: first }, { upsert: true }),
  );
}

export function mongoPlayerStore(store: MongoStore, outbox: MongoOutbox, projection: BoardProjection): PlayerStore {
  const logs = store.collection<LogRow>('catalog');
  const users = store.collection<UserRow>('person');
  const marks = store.collection<ErasureRow>('forgotten');
  const marksOf = async (userKeys: readonly string[]): Promise<Map<string, string>> => {
    if (userKeys.length === 0) return new Map();
    const row = await store.run(() => store.collection<ErasureKeyRow>('catalog').findOne({ _id: 'marks' }));
    if (row === null) throw new Error('The database was emptied under a running service');
    return new Map(userKeys.map((userKey) => [keyedHash(row.key, userKey), userKey]));
  };
  return {
    users: async (userKeys) => {
      const rows = await store.run(() => users.find({ _id: { $in: [...userKeys] } }).toArray());
      return new Map(rows.map(({ _id, gamertag, revision }) => [_id, { userKey: _id, gamertag, revision }]));
    },
    erasedUsers: async (userKeys) => {
      const byMark = await marksOf(userKeys);
      if (byMark.size === 0) return new Set();
      const rows = await store.run(() => marks.find({ _id: { $in: [...byMark.keys()] } }).toArray());
      return new Set(rows.flatMap(({ _id }) => byMark.get(_id) ?? []));
    },
    gamertags: async (playerKeys) => {
      if (playerKeys.length === 0) return new Map();
      const rows = await store.run(() =>
        users
          .find(
            { playerKey: { $in: [...playerKeys] } },
            { hint: 'by_player', projection: { playerKey: 1, gamertag: 1 } },
          )
          .toArray(),
      );
      // Several users may have one name; the first by user key wins.
      rows.sort((a, b) => (a._id < b._id ? 1 : -1));
      return new Map(rows.flatMap(({ playerKey, gamertag }) => (playerKey === null ? [] : [[playerKey, gamertag]])));
    },
    commitUsers: async ({ expectedRevision, revision, put, erased, facts }) => {
      // The ranks in these facts came from rows that lagged behind.
      if (await projection.catchUp()) return false;
      const writes = put.map(replaceOperation);
      const left = Array.from((await marksOf(erased)).keys(), erasureOperation);
      return store.transaction(async (session) => {
        const expected = { _id: 'boards', revision: expectedRevision } as const;
        const { matchedCount } = await logs.updateOne(expected, { $set: { revision } }, { session });
        if (matchedCount === 0) return false;
        await outbox.add(facts, session);
        if (writes.length > 0) await users.bulkWrite(writes, { session });
        if (left.length > 0) {
          await users.deleteMany({ _id: { $in: [...erased] } }, { session });
          await marks.bulkWrite(left, { session });
        }
        return true;
      });
    },
  };
}

interface ErasureKeyRow {
  _id: 'marks';
  key: string;
}

interface ErasureRow {
  _id: string;
}

interface UserRow extends Omit<TrackedUser, 'userKey'> {
  _id: string;
  playerKey: string | null;
}

function replaceOperation({ userKey, gamertag, revision }: TrackedUser) {
  const replacement = { playerKey: gamertag === '' ? null : nameKey(gamertag), gamertag, revision };
  return { replaceOne: { filter: { _id: userKey }, replacement, upsert: true } };
}

function erasureOperation(_id: string) {
  return { replaceOne: { filter: { _id }, replacement: {}, upsert: true } };
}
