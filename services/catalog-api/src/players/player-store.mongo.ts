import { nameKey } from '@lobbystats/contracts';
import { commitSteps, writeSteps, type MongoOutbox, type MongoStore } from '@lobbystats/service-kit/mongo';
import { keyedHash } from '@lobbystats/service-kit';
import type { TrackedUser, PlayerStore } from './player-store.ts';
import type { LogRow } from '../leaderboards/board-rows.mongo.ts';
import type { BoardProjection } from '../leaderboards/board-projection.mongo.ts';

export function mongoPlayerStore(store: MongoStore, outbox: MongoOutbox, projection: BoardProjection): PlayerStore {
  const logs = store.collection<LogRow>('catalog');
  const users = store.collection<UserRow>('tracked_user');
  const marks = store.collection<ErasureRow>('erased_user');
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
    commitUsers: async ({ expectedRevision, revision, put, retired = [], erased, allowed = [], facts }) => {
      // The ranks in these facts came from rows that lagged behind.
      if (await projection.catchUp()) return false;
      const hashes = [...(await marksOf(erased)).keys()];
      const allowedHashes = [...(await marksOf(allowed)).keys()];
      const removed = [...retired, ...erased];
      const removals = removed.length === 0 ? [] : [{ deleteMany: { filter: { _id: { $in: removed } } } }];
      const from = { _id: 'boards', revision: expectedRevision } as const;
      return commitSteps(store, { rows: logs, from, to: { $set: { revision } } }, [
        (session) => outbox.add(facts, session),
        ...writeSteps<UserRow>(store, 'tracked_user', [...put.map(replaceOperation), ...removals]),
        ...writeSteps<ErasureRow>(store, 'erased_user', [
          ...hashes.map(erasureOperation),
          ...allowedHashes.map((_id) => ({ deleteOne: { filter: { _id } } })),
        ]),
      ]);
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
