import { REQUEST_TIMEOUT_MS, type MongoStore } from '@lobbystats/service-kit/mongo';
import type { PlayerRecord, UserRecord } from './user-record.ts';
import type { UserStore } from './user-store.ts';
import { unpackDay, unpackStandings } from './packed-fields.ts';
import {
  dayKeyOf,
  dayRowId,
  type DefinitionRow,
  type ErasureRow,
  type HostDayRow,
  type StateRow,
  type PlayDayRow,
  type PlayerRow,
} from './collection-rows.mongo.ts';
import { onlineUserOf, rowsByKeys, userOf, WITHOUT_PROFILE, type UserRow } from './user-rows.mongo.ts';

export function userReads(store: MongoStore) {
  const states = store.collection<StateRow>('user_state');
  const users = store.collection<UserRow>('user');
  const players = store.collection<PlayerRow>('player');
  const playDays = store.collection<PlayDayRow>('play_day');
  const hostDays = store.collection<HostDayRow>('host_day');
  const definitions = store.collection<DefinitionRow>('definition');
  const erased = store.collection<ErasureRow>('erased_user');
  const options = { projection: WITHOUT_PROFILE };

  return {
    revision: async () => {
      const row = await store.run(() => states.findOne({ _id: 'users' }), REQUEST_TIMEOUT_MS);
      return row?.revision ?? 0;
    },
    users: async (keys) => {
      const rows = await rowsByKeys(store, keys, { rows: users, filter: among, options });
      return new Map(rows.map((row) => [row._id, userOf(row)]));
    },
    keysWithContent: async (keys) => {
      const filter = (some: readonly string[]) => ({ ...among(some), profile: { $exists: true } });
      const rows = await rowsByKeys(store, keys, { rows: users, filter, options: { projection: { _id: 1 } } });
      const quietHours = store.collection<{ _id: string }>('quiet_hours');
      const usersOf = (name: string) =>
        store.run(() =>
          store.collection<{ userKey: string }>(name).distinct('userKey', { userKey: { $in: [...keys] } }),
        );
      const followers = [...(await usersOf('following')), ...(await usersOf('channel'))];
      const quiet = await store.run(() => quietHours.distinct('_id', { _id: { $in: [...keys] } }));
      return new Set([...rows.map(({ _id }) => _id), ...followers, ...quiet]);
    },
    count: () => store.run(() => users.estimatedDocumentCount()),
    isKnown: async (userKey) => {
      const row = await store.run(
        () => users.findOne({ _id: userKey }, { projection: { _id: 1 } }),
        REQUEST_TIMEOUT_MS,
      );
      return row !== null;
    },
    usersByGamertag: async (playerKeys) => {
      const named = playerKeys.filter((key) => key !== '');
      const filter = (some: readonly string[]) => ({ playerKey: { $in: some } });
      const rows = await rowsByKeys(store, named, { rows: users, filter, options });
      const found = new Map<string, UserRecord[]>();
      for (const row of rows) found.set(row.playerKey, [...(found.get(row.playerKey) ?? []), userOf(row)]);
      return found;
    },
    players: async (keys) => {
      const rows = await rowsByKeys(store, keys, { rows: players, filter: among });
      return new Map(rows.map((row) => [row._id, playerOf(row)]));
    },
    playDays: async (dayKeys) => {
      const ids = dayKeys.map(({ key, day }) => dayRowId(day, key));
      const rows = await rowsByKeys(store, ids, { rows: playDays, filter: among });
      return rows.map(({ _id, titles }) => {
        const { day, key: userKey } = dayKeyOf(_id);
        return { userKey, day, titles: unpackDay(titles) };
      });
    },
    hostDays: async (dayKeys) => {
      const ids = dayKeys.map(({ key, day }) => dayRowId(day, key));
      const rows = await rowsByKeys(store, ids, { rows: hostDays, filter: among });
      return rows.map(({ _id, slots }) => {
        const { day, key: playerKey } = dayKeyOf(_id);
        return { playerKey, day, slots: new Uint8Array(slots) };
      });
    },
    findErased: async (hashes) => {
      const rows = await rowsByKeys(store, hashes, { rows: erased, filter: among });
      return new Set(rows.map(({ _id }) => _id));
    },
    erasedHashes: async () => {
      const rows = await erased.find({}).sort({ _id: 1 }).toArray();
      return rows.map(({ _id }) => _id);
    },
    onlineUsers: async ({ since, titleId, limit, offset }) => {
      const online = {
        ...{ 'sight.isOnline': true, 'sight.at': { $gte: since } },
        ...(titleId !== undefined && { 'sight.titleId': { $eq: titleId } }),
      };
      const indexed = { hint: 'by_presence' };
      const found = users.find(online, { ...indexed, projection: { username: 1, sight: 1 }, batchSize: limit });
      const page = found.sort({ _id: 1 }).skip(offset).limit(limit);
      const [rows, total] = await Promise.all([
        store.run(() => page.toArray(), REQUEST_TIMEOUT_MS),
        store.run(() => users.countDocuments(online, indexed), REQUEST_TIMEOUT_MS),
      ]);
      return { users: rows.flatMap(onlineUserOf), total };
    },
    usersAfter: async (after, limit) => {
      // No key is empty.
      const behind = { _id: { $gt: after ?? '' } };
      const rows = await store.run(() =>
        users
          .find(behind, { ...options, batchSize: limit })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray(),
      );
      return rows.map(userOf);
    },
    playersAfter: async (after, limit) => {
      const behind = { _id: { $gt: after ?? '' } };
      const rows = await store.run(() =>
        players.find(behind, { batchSize: limit }).sort({ _id: 1 }).limit(limit).toArray(),
      );
      return rows.map(playerOf);
    },
    evaluation: async () => {
      const row = await store.run(() => states.findOne({ _id: 'users' }));
      if (row?.evaluation === undefined) return undefined;
      const { digest, after, done } = row.evaluation;
      return { digest, after, done };
    },
    withdrawals: async () => (await store.run(() => states.findOne({ _id: 'users' })))?.withdrawals ?? [],
    definitions: async () => {
      const rows = await store.run(() => definitions.find().sort({ _id: 1 }).toArray(), REQUEST_TIMEOUT_MS);
      return rows.map(({ definition }) => definition);
    },
  } satisfies Partial<UserStore>;
}

function playerOf({ _id: key, standings, hosted }: PlayerRow): PlayerRecord {
  return { key, standings: unpackStandings(standings), hosted };
}

function among(keys: readonly string[]) {
  return { _id: { $in: keys } };
}
