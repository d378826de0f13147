import { nameKey } from '@lobbystats/contracts';
import { keyedHash } from '@lobbystats/service-kit';
import { appendToOutbox, type SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { TrackedUser, PlayerStore } from './player-store.ts';

/** `player_key` is null without a gamertag. */
export const userTables = `
  CREATE TABLE tracked_user (
    user_key TEXT PRIMARY KEY,
    player_key TEXT,
    gamertag TEXT NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tracked_user_by_player ON tracked_user (player_key) WHERE player_key IS NOT NULL;

  CREATE TABLE mark_key (only INTEGER PRIMARY KEY CHECK (only = 1), key TEXT NOT NULL) STRICT;
  INSERT INTO mark_key VALUES (1, lower(hex(randomblob(32))));
  -- mark: the keyed hash of an erased user key.
  CREATE TABLE erased_user (mark TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;

export function sqlitePlayerStore(sqlite: SqliteStore): PlayerStore {
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
    users: async (userKeys) => lookUp(userKeys, findUser),
    erasedUsers: async (userKeys) => new Set(userKeys.filter(isErased)),
    gamertags: async (playerKeys) => lookUp(playerKeys, gamertag),
    commitUsers: async ({ expectedRevision, revision, put, retired = [], erased, allowed = [], facts }) =>
      sqlite.transaction(() => {
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
