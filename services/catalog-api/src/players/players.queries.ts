import { nameKey, type Fact } from '@lobbystats/contracts';
import { keyedHash } from '@lobbystats/service-kit';
import { commitSteps, writeSteps } from '@lobbystats/service-kit/mongo-steps';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { appendToOutbox } from '@lobbystats/service-kit/sqlite-outbox';
import type { MongoCatalog } from '../database/open.mongo.ts';
import type { LogDocument } from '../boards/board-rows.ts';

/** Users whose ranks are published. Missing keys are absent in results. They throw AppError `unavailable`. */
export type PlayerQueries = ReturnType<typeof playersInSqlite>;

export interface TrackedUser {
  readonly userKey: string;
  readonly gamertag: string;
  readonly revision: number;
}

export interface PlayerCommit {
  /** Commits of boards and of users make each other stale. */
  readonly expectedRevision: number;
  readonly revision: number;
  readonly put: readonly TrackedUser[];
  /** User keys, which are removed. Default: none. */
  readonly retired?: readonly string[];
  /** User keys; only a keyed hash of each remains. */
  readonly erased: readonly string[];
  /** User keys that are no longer erased. Default: none. */
  readonly allowed?: readonly string[];
  readonly facts: readonly Fact[];
}

export function playersInSqlite(sqlite: SqliteStore) {
  const findUser = (userKey: string) =>
    sqlite.get<TrackedUser>(
      'SELECT user_key AS userKey, gamertag, revision FROM tracked_user WHERE user_key = ?',
      userKey,
    );
  const gamertag = (playerKey: string) =>
    sqlite.get<{ gamertag: string }>(
      'SELECT gamertag FROM tracked_user WHERE player_key = ? ORDER BY user_key LIMIT 1',
      playerKey,
    )?.gamertag;
  const mark = (userKey: string): string => {
    const row = sqlite.get<{ key: string }>('SELECT key FROM mark_key');
    if (row === undefined) throw new Error('The store was emptied under a running service');
    return keyedHash(row.key, userKey);
  };
  const isErased = (userKey: string) =>
    sqlite.get('SELECT 1 FROM erased_user WHERE mark = ?', mark(userKey)) !== undefined;
  return {
    users: async (userKeys: readonly string[]) => lookUp(userKeys, findUser),
    erasedUsers: async (userKeys: readonly string[]) => new Set(userKeys.filter(isErased)),
    gamertags: async (playerKeys: readonly string[]) => lookUp(playerKeys, gamertag),
    /** Atomic; false when the revision isn't the expected one. */
    commitUsers: async (commit: PlayerCommit) =>
      sqlite.transaction(() => {
        const { expectedRevision, revision, put, retired = [], erased, allowed = [], facts } = commit;
        const move = 'UPDATE change_log SET revision = ? WHERE revision = ?';
        if (sqlite.run(move, revision, expectedRevision) === 0) return false;
        for (const { userKey, gamertag, revision: userRevision } of put) {
          const playerKey = gamertag === '' ? null : nameKey(gamertag);
          sqlite.run(
            'INSERT OR REPLACE INTO tracked_user VALUES (?, ?, ?, ?)',
            userKey,
            playerKey,
            gamertag,
            userRevision,
          );
        }
        for (const userKey of [...retired, ...erased])
          sqlite.run('DELETE FROM tracked_user WHERE user_key = ?', userKey);
        for (const userKey of erased) sqlite.run('INSERT OR IGNORE INTO erased_user VALUES (?)', mark(userKey));
        for (const userKey of allowed) sqlite.run('DELETE FROM erased_user WHERE mark = ?', mark(userKey));
        appendToOutbox(sqlite, facts);
        return true;
      }),
  };
}

function lookUp<Value>(keys: readonly string[], find: (key: string) => Value | undefined): Map<string, Value> {
  const all = new Map<string, Value>();
  for (const key of keys) {
    const value = find(key);
    if (value !== undefined) all.set(key, value);
  }
  return all;
}

interface ErasureKeyDocument {
  _id: 'marks';
  key: string;
}

interface ErasureDocument {
  _id: string;
}

interface UserDocument extends Omit<TrackedUser, 'userKey'> {
  _id: string;
  playerKey: string | null;
}

/** @param catchUp brings entries up to date; whether they lagged behind */
export function playersInMongo({ store, outbox }: MongoCatalog, catchUp: () => Promise<boolean>) {
  const logs = store.collection<LogDocument>('catalog');
  const users = store.collection<UserDocument>('tracked_user');
  const marks = store.collection<ErasureDocument>('erased_user');
  const marksOf = async (userKeys: readonly string[]): Promise<Map<string, string>> => {
    if (userKeys.length === 0) return new Map();
    const row = await store.run(() => store.collection<ErasureKeyDocument>('catalog').findOne({ _id: 'marks' }));
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
      if (await catchUp()) return false;
      const hashes = [...(await marksOf(erased)).keys()];
      const allowedHashes = [...(await marksOf(allowed)).keys()];
      const removed = [...retired, ...erased];
      const removals = removed.length === 0 ? [] : [{ deleteMany: { filter: { _id: { $in: removed } } } }];
      const from = { _id: 'boards', revision: expectedRevision } as const;
      return commitSteps(store, { rows: logs, from, to: { $set: { revision } } }, [
        (session) => outbox.add(facts, session),
        ...writeSteps<UserDocument>(store, 'tracked_user', [...put.map(replaceOperation), ...removals]),
        ...writeSteps<ErasureDocument>(store, 'erased_user', [
          ...hashes.map(erasureOperation),
          ...allowedHashes.map((_id) => ({ deleteOne: { filter: { _id } } })),
        ]),
      ]);
    },
  } satisfies PlayerQueries;
}

function replaceOperation({ userKey, gamertag, revision }: TrackedUser) {
  const replacement = { playerKey: gamertag === '' ? null : nameKey(gamertag), gamertag, revision };
  return { replaceOne: { filter: { _id: userKey }, replacement, upsert: true } };
}

function erasureOperation(_id: string) {
  return { replaceOne: { filter: { _id }, replacement: {}, upsert: true } };
}
