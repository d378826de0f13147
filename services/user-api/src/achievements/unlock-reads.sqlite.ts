import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { NamedUnlock, Unlock } from '../users/user-record.ts';
import type { LeaderboardEntry, UserStore } from '../users/user-store.ts';
import { keyLists } from '../users/user-rows.sqlite.ts';
import { unlockTimesOf } from './fulfilment-times.ts';
import { pageStart, rankPage, FIRST_PAGE, type ScoreCount } from './achievement-leaderboard.ts';

export function unlockReads(sqlite: SqliteStore) {
  const scores = () => sqlite.all<ScoreCount>('SELECT score, count FROM score_count ORDER BY score DESC');
  return {
    unlockTimes: async (userKeys) => {
      const sql = 'SELECT user_key AS userKey, achievement_id AS achievementId, unlocked_at AS unlockedAt FROM unlock';
      const rows = keyLists(userKeys).flatMap((list) =>
        sqlite.all<Unlock>(`${sql} WHERE user_key IN ${list.sql}`, ...list.values),
      );
      return unlockTimesOf(rows);
    },
    unlocksOf: async (userKey, since = 0) =>
      sqlite.all<Unlock>(
        `SELECT user_key AS userKey, achievement_id AS achievementId, unlocked_at AS unlockedAt FROM unlock
          WHERE user_key = ? AND unlocked_at >= ? ORDER BY unlocked_at DESC, achievement_id`,
        userKey,
        since,
      ),
    recentUnlocks: async (limit, offset = 0, achievementId) =>
      sqlite.all<NamedUnlock>(
        `SELECT user_key AS userKey, achievement_id AS achievementId, unlocked_at AS unlockedAt, username FROM unlock
          ${achievementId === undefined ? '' : 'INDEXED BY unlock_by_achievement WHERE achievement_id = ?'}
          ORDER BY unlocked_at DESC, achievement_id, username LIMIT ? OFFSET ?`,
        ...(achievementId === undefined ? [] : [achievementId]),
        limit,
        offset,
      ),
    unlockCounts: async () => {
      const counts = sqlite.all<{ id: number; count: number }>(
        'SELECT achievement_id AS id, count FROM unlock_count WHERE count > 0',
      );
      const players = sqlite.get<{ n: number }>('SELECT ifnull(sum(count), 0) AS n FROM score_count')?.n ?? 0;
      return { byAchievement: new Map(counts.map(({ id, count }) => [id, count])), players };
    },
    leaderboard: async (offset, limit) => {
      const start = offset === 0 ? FIRST_PAGE : pageStart(scores(), offset);
      if (start === undefined) return [];
      const rows = sqlite.all<Omit<LeaderboardEntry, 'rank'>>(
        `SELECT username, score, unlock_count AS achievementCount FROM user
          WHERE unlock_count > 0 AND score <= ? ORDER BY score DESC, username LIMIT ? OFFSET ?`,
        start.score,
        limit,
        start.skipped,
      );
      return rankPage(rows, start);
    },
    leaderboardOffset: async (userKey) => {
      const user = sqlite.get<{ score: number; username: string }>(
        'SELECT score, username FROM user WHERE key = ? AND unlock_count > 0',
        userKey,
      );
      if (user === undefined) return undefined;
      const { score, username } = user;
      return sqlite.get<{ n: number }>(
        `SELECT (SELECT ifnull(sum(count), 0) FROM score_count WHERE score > ?) +
          (SELECT count(*) FROM user WHERE unlock_count > 0 AND score = ? AND username < ?) AS n`,
        score,
        score,
        username,
      )?.n;
    },
  } satisfies Partial<UserStore>;
}
