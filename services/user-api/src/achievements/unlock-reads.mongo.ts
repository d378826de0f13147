import { REQUEST_TIMEOUT_MS, type MongoStore } from '@lobbystats/service-kit/mongo';
import type { ClientSession, Collection } from 'mongodb';
import type { NamedUnlock } from '../users/user-record.ts';
import type { LeaderboardEntry, UserStore } from '../users/user-store.ts';
import { pageStart, rankPage, FIRST_PAGE } from './achievement-leaderboard.ts';
import type { ScoreCountRow, UnlockCountRow, UnlockRow } from '../users/collection-rows.mongo.ts';
import { rowsByKeys, type UserRow } from '../users/user-rows.mongo.ts';
import { unlockTimesOf } from './fulfilment-times.ts';

export function unlockReads(store: MongoStore) {
  const users = store.collection<UserRow>('user');
  const unlocks = store.collection<UnlockRow>('unlock');
  const unlockCounts = store.collection<UnlockCountRow>('unlock_count');
  const scoreCounts = store.collection<ScoreCountRow>('score_count');

  return {
    unlockTimes: async (userKeys) => {
      const filter = (keys: readonly string[]) => ({ userKey: { $in: [...keys] } });
      return unlockTimesOf(await rowsByKeys(store, userKeys, { rows: unlocks, filter, options: { hint: 'by_user' } }));
    },
    unlocksOf: async (userKey, since = 0) => {
      const filter = { userKey: { $eq: userKey }, unlockedAt: { $gte: since } };
      const found = unlocks.find(filter, { hint: 'by_user' }).sort({ unlockedAt: -1, achievementId: 1 });
      const rows = await store.run(() => found.toArray(), REQUEST_TIMEOUT_MS);
      return rows.map(({ achievementId, unlockedAt }) => ({ userKey, achievementId, unlockedAt }));
    },
    recentUnlocks: async (limit, offset = 0, achievementId) => {
      const found =
        achievementId === undefined
          ? unlocks.find({}, { hint: 'by_time' }).sort({ unlockedAt: -1, achievementId: 1, username: 1 })
          : unlocks.find({ achievementId }).sort({ unlockedAt: -1, username: 1 });
      const rows = await store.run(() => found.skip(offset).limit(limit).toArray(), REQUEST_TIMEOUT_MS);
      return rows.map(({ _id, ...unlock }): NamedUnlock => unlock);
    },
    unlockCounts: async () => {
      const rows = await store.run(() => unlockCounts.find({ count: { $gt: 0 } }).toArray(), REQUEST_TIMEOUT_MS);
      const byAchievement = new Map<number, number>();
      let players = 0;
      for (const { _id, count } of rows) {
        if (_id === 'players') players = count;
        else byAchievement.set(_id, count);
      }
      return { byAchievement, players };
    },
    leaderboard: async (offset, limit) => {
      if (offset === 0) {
        const rows = await store.run(
          () => onLeaderboard(users, FIRST_PAGE.score).limit(limit).toArray(),
          REQUEST_TIMEOUT_MS,
        );
        return rankPage(rows.map(toEntry), FIRST_PAGE);
      }
      // A snapshot: ranks are counted from the rows.
      return store.snapshot(async (session) => {
        const counts = await scoreCounts.find({}, { session }).sort({ _id: -1 }).toArray();
        const start = pageStart(
          counts.map(({ _id: score, count }) => ({ score, count })),
          offset,
        );
        if (start === undefined) return [];
        const rows = await onLeaderboard(users, start.score, session).skip(start.skipped).limit(limit).toArray();
        return rankPage(rows.map(toEntry), start);
      });
    },
    leaderboardOffset: async (userKey) =>
      store.snapshot(async (session) => {
        const user = await users.findOne({ _id: userKey }, { session, projection: { username: 1, rankedScore: 1 } });
        if (typeof user?.rankedScore !== 'number') return undefined;
        const { username, rankedScore } = user;
        const higher = await scoreCounts.find({ _id: { $gt: rankedScore } }, { session }).toArray();
        const before = await users.countDocuments(
          { rankedScore, username: { $lt: username } },
          { session, hint: 'by_score' },
        );
        return higher.reduce((sum, { count }) => sum + count, before);
      }),
  } satisfies Partial<UserStore>;
}

function onLeaderboard(users: Collection<UserRow>, score: number, session?: ClientSession) {
  const projection = { _id: 0, username: 1, score: 1, unlockCount: 1 };
  return users
    .find({ rankedScore: { $lte: score } }, { hint: 'by_score', projection, ...(session !== undefined && { session }) })
    .sort({ rankedScore: -1, username: 1 });
}

function toEntry({ username, score, unlockCount }: UserRow): Omit<LeaderboardEntry, 'rank'> {
  return { username, score, achievementCount: unlockCount };
}
