import { nameKey } from '@lobbystats/contracts';
import { appendToOutbox, type SqliteStore } from '@lobbystats/service-kit/sqlite';
import { occurrenceRanges } from '../following/occurrences.ts';
import type { ErasureCommand, ErasureStore } from './erasure-store.ts';
import { countScores } from '../users/user-writes.sqlite.ts';

export function userErasure(sqlite: SqliteStore) {
  return {
    eraseUser: async (command) => {
      sqlite.transaction(() => {
        // Data derived from this user is stale now.
        sqlite.run('UPDATE user_state SET revision = revision + 1 WHERE only = 1');
        appendToOutbox(
          sqlite,
          command.facts.filter(({ id }) => sqlite.get('SELECT 1 FROM outbox WHERE id = ?', id) === undefined),
        );
        for (const hash of command.hashes) sqlite.run('INSERT OR IGNORE INTO erased_user (hash) VALUES (?)', hash);
        removeUser(sqlite, command);
        removePlayer(sqlite, command);
        removeNews(sqlite, command);
      });
    },
    allowUser: async ({ hashes, facts }) =>
      sqlite.transaction(() => {
        let removed = 0;
        for (const hash of hashes) removed += sqlite.run('DELETE FROM erased_user WHERE hash = ?', hash);
        if (removed > 0) appendToOutbox(sqlite, facts);
        return removed > 0;
      }),
  } satisfies ErasureStore;
}

function removeUser(sqlite: SqliteStore, { userKey }: ErasureCommand): void {
  const placed = sqlite.get<{ score: number }>('SELECT score FROM user WHERE key = ? AND unlock_count > 0', userKey);
  if (placed !== undefined) countScores(sqlite, new Map([[placed.score, -1]]));
  const unlocked = 'SELECT achievement_id FROM unlock WHERE user_key = ?';
  sqlite.run(`UPDATE unlock_count SET count = count - 1 WHERE achievement_id IN (${unlocked})`, userKey);
  sqlite.run('DELETE FROM unlock WHERE user_key = ?', userKey);
  sqlite.run('DELETE FROM profile WHERE user_key = ?', userKey);
  sqlite.run(`DELETE FROM play_day WHERE day IN (${daysOf('play_day')}) AND user_key = ?`, userKey);
  for (const table of ['following', 'quiet_hours', 'notification', 'delivery', 'channel']) {
    sqlite.run(`DELETE FROM ${table} WHERE user_key = ?`, userKey);
  }
  sqlite.run('DELETE FROM user WHERE key = ?', userKey);
}

function removePlayer(sqlite: SqliteStore, { playerKey }: ErasureCommand): void {
  if (playerKey === undefined) return;
  sqlite.run(`DELETE FROM host_day WHERE day IN (${daysOf('host_day')}) AND player_key = ?`, playerKey);
  sqlite.run('DELETE FROM player WHERE key = ?', playerKey);
}

/** Removes what followers have been notified of, and would be. */
function removeNews(sqlite: SqliteStore, { userKey, playerKey = userKey }: ErasureCommand): void {
  const targets = [nameKey(userKey), playerKey];
  sqlite.run(`DELETE FROM notification WHERE kind = 'player' AND target IN (?, ?)`, ...targets);
  for (const { from, before, target } of targets.flatMap(occurrenceRanges)) {
    sqlite.run(`DELETE FROM occurrence WHERE id >= ? AND id < ? AND data ->> 'target' = ?`, from, before, target);
  }
}

function daysOf(table: 'play_day' | 'host_day'): string {
  return `
    WITH RECURSIVE known (day) AS (
      SELECT min(day) FROM ${table}
      UNION ALL SELECT (SELECT min(day) FROM ${table} WHERE day > known.day) FROM known WHERE known.day IS NOT NULL
    ) SELECT day FROM known WHERE day IS NOT NULL`;
}
