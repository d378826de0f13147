import { appendToOutbox, type SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { Unlock, UserRecord } from './user-record.ts';
import type { UserCommit, UserStore } from './user-store.ts';
import { packDay, packStandings } from './packed-fields.ts';
import {
  hasSameIndexedState,
  isRenamed,
  profileAppeared,
  scoreDifferences,
  unlocksByAchievement,
  userChanges,
  type IndexedState,
} from './user-changes.ts';
import { keyLists, indexedValues, PUT_USER, stateValues, UPDATE_STATE } from './user-rows.sqlite.ts';

const MOVE_REVISION = 'UPDATE user_state SET revision = ? WHERE only = 1 AND revision = ?';
const PUT_PLAY_DAY = `INSERT INTO play_day (day, user_key, titles) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET titles = excluded.titles`;
const PUT_HOST_DAY = `INSERT INTO host_day (day, player_key, slots) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET slots = excluded.slots`;
const PUT_PLAYER = `INSERT INTO player (key, standings, hosted) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET standings = excluded.standings, hosted = excluded.hosted`;
const ADD_UNLOCK = 'INSERT INTO unlock (user_key, achievement_id, unlocked_at, username) VALUES (?, ?, ?, ?)';
const MOVE_UNLOCK = 'UPDATE unlock SET unlocked_at = ? WHERE user_key = ? AND achievement_id = ?';
const COUNT_UNLOCKS = `INSERT INTO unlock_count (achievement_id, count) VALUES (?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count`;
const COUNT_SCORES = `INSERT INTO score_count (score, count) VALUES (?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count`;
const PUT_DEFINITION = 'INSERT OR REPLACE INTO definition (id, definition) VALUES (?, ?)';
/** Blocks the process for some milliseconds. */
const DAYS_PER_BATCH = 2000;

export function userWrites(sqlite: SqliteStore) {
  const removeDays = (table: 'play_day' | 'host_day', key: 'user_key' | 'player_key', before: number): number => {
    const first = `SELECT day, ${key} FROM ${table} WHERE day < ? ORDER BY day, ${key} LIMIT ?`;
    return sqlite.run(`DELETE FROM ${table} WHERE (day, ${key}) IN (${first})`, before, DAYS_PER_BATCH);
  };
  return {
    commit: async (commit) =>
      sqlite.transaction(() => {
        if (sqlite.run(MOVE_REVISION, commit.revision, commit.expectedRevision) === 0) return false;
        putUsers(sqlite, commit.users ?? []);
        retire(sqlite, commit);
        putDays(sqlite, commit);
        for (const { key, standings, hosted } of commit.players ?? []) {
          sqlite.run(PUT_PLAYER, key, packStandings(standings), hosted);
        }
        addUnlocks(sqlite, commit.unlocks ?? [], commit.users ?? []);
        for (const { userKey, achievementId, unlockedAt } of commit.movedUnlocks ?? []) {
          sqlite.run(MOVE_UNLOCK, unlockedAt, userKey, achievementId);
        }
        removeUnlocks(sqlite, commit.withdrawnUnlocks ?? []);
        for (const definition of commit.definitions ?? []) {
          sqlite.run(PUT_DEFINITION, definition.id, JSON.stringify(definition));
        }
        if (commit.evaluation !== undefined) {
          sqlite.run('UPDATE user_state SET evaluation = ? WHERE only = 1', JSON.stringify(commit.evaluation));
        }
        if (commit.withdrawals !== undefined) {
          sqlite.run('UPDATE user_state SET withdrawals = ? WHERE only = 1', JSON.stringify(commit.withdrawals));
        }
        appendToOutbox(sqlite, commit.facts ?? []);
        return true;
      }),
    removeDaysBefore: async (day) =>
      sqlite.transaction(() => removeDays('play_day', 'user_key', day) + removeDays('host_day', 'player_key', day)),
  } satisfies Partial<UserStore>;
}

function retire(sqlite: SqliteStore, { retiredUsers = [], retiredPlayers = [] }: UserCommit): void {
  for (const key of retiredUsers) {
    if (sqlite.get('SELECT 1 FROM profile WHERE user_key = ?', key) !== undefined) throw profileAppeared();
    sqlite.run('DELETE FROM user WHERE key = ?', key);
  }
  for (const key of retiredPlayers) sqlite.run('DELETE FROM player WHERE key = ?', key);
}

export function putUsers(sqlite: SqliteStore, users: readonly UserRecord[]): void {
  const changes = userChanges(users, readIndexedState(sqlite, users));
  for (const change of changes) {
    const { user } = change;
    if (hasSameIndexedState(change)) sqlite.run(UPDATE_STATE, ...stateValues(user), user.key);
    else sqlite.run(PUT_USER, ...indexedValues(user), ...stateValues(user));
    if (isRenamed(change)) sqlite.run('UPDATE unlock SET username = ? WHERE user_key = ?', user.username, user.key);
  }
  countScores(sqlite, scoreDifferences(changes));
}

export function countScores(sqlite: SqliteStore, differences: ReadonlyMap<number, number>): void {
  for (const [score, difference] of differences) {
    sqlite.run(COUNT_SCORES, score, difference);
    if (difference < 0) sqlite.run('DELETE FROM score_count WHERE score = ? AND count = 0', score);
  }
}

function readIndexedState(sqlite: SqliteStore, users: readonly UserRecord[]): Map<string, IndexedState> {
  const sql = 'SELECT key, username, gamertag, score, unlock_count AS unlockCount FROM user WHERE key IN';
  const rows = keyLists(users.map(({ key }) => key)).flatMap((list) =>
    sqlite.all<IndexedState & { key: string }>(`${sql} ${list.sql}`, ...list.values),
  );
  return new Map(rows.map((row) => [row.key, row]));
}

function putDays(sqlite: SqliteStore, { playDays = [], hostDays = [] }: UserCommit): void {
  for (const { day, userKey, titles } of playDays) sqlite.run(PUT_PLAY_DAY, day, userKey, packDay(titles));
  for (const { day, playerKey, slots } of hostDays) sqlite.run(PUT_HOST_DAY, day, playerKey, slots);
}

function addUnlocks(sqlite: SqliteStore, unlocks: readonly Unlock[], users: readonly UserRecord[]): void {
  const usernames = new Map(users.map(({ key, username }) => [key, username]));
  for (const { userKey, achievementId, unlockedAt } of unlocks) {
    sqlite.run(ADD_UNLOCK, userKey, achievementId, unlockedAt, usernames.get(userKey) ?? '');
  }
  for (const [achievementId, count] of unlocksByAchievement(unlocks)) sqlite.run(COUNT_UNLOCKS, achievementId, count);
}

function removeUnlocks(sqlite: SqliteStore, unlocks: readonly Unlock[]): void {
  for (const { userKey, achievementId } of unlocks) {
    sqlite.run('DELETE FROM unlock WHERE user_key = ? AND achievement_id = ?', userKey, achievementId);
  }
  for (const [achievementId, count] of unlocksByAchievement(unlocks)) sqlite.run(COUNT_UNLOCKS, achievementId, -count);
}
