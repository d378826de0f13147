import type { AchievementsResponse } from './expect-user.ts';
import { siteClient } from './site-client.ts';

/** Achievements of all users, by username. */
export type AchievementsByUser = ReadonlyMap<string, AchievementsResponse>;

/** Fails unless the achievement catalog, leaderboard and recent unlocks follow from the achievements of all users. */
export async function expectAchievementLists(url: string, everybodys: AchievementsByUser): Promise<void> {
  await expectCatalog(url, everybodys);
  await expectLeaderboard(url, everybodys);
  await expectRecent(url, everybodys);
}

async function expectCatalog(url: string, everybodys: AchievementsByUser): Promise<void> {
  const body = await siteClient(url).listAchievements();
  const unlockedBy = new Map<number, number>();
  for (const { achievements } of everybodys.values()) {
    for (const { id } of achievements) unlockedBy.set(id, (unlockedBy.get(id) ?? 0) + 1);
  }
  expect(body.achievements.map(({ id, unlockedBy: count }) => [id, count])).toEqual(
    body.achievements.map(({ id }) => [id, unlockedBy.get(id) ?? 0]),
  );
  const withSome = [...everybodys.values()].filter(({ achievements }) => achievements.length > 0);
  expect(body.stats.playersWithAchievements).toBe(withSome.length);
  expect(JSON.stringify(body)).not.toContain('revealed_');
}

async function expectLeaderboard(url: string, everybodys: AchievementsByUser): Promise<void> {
  const body = await siteClient(url).getAchievementLeaderboard({ limit: 100 });
  const all = [...everybodys]
    .filter(([, { achievements }]) => achievements.length > 0)
    .map(([username, { score, achievements }]) => ({ username, score, count: achievements.length }))
    .sort((a, b) => b.score - a.score);
  expect(body.leaderboard.map(({ totalScore }) => totalScore)).toEqual(all.slice(0, 100).map(({ score }) => score));
  expect(body.leaderboard).toEqual(
    body.leaderboard.map(({ username }) => {
      const own = all.find((one) => one.username === username);
      const rank = 1 + all.filter(({ score }) => score > (own?.score ?? 0)).length;
      return { rank, username, totalScore: own?.score, achievementCount: own?.count };
    }),
  );
}

async function expectRecent(url: string, everybodys: AchievementsByUser): Promise<void> {
  const body = await siteClient(url).listRecentUnlocks({ limit: 100 });
  const all = [...everybodys].flatMap(([username, { achievements }]) =>
    achievements.map((achievement) => ({ username, ...achievement })),
  );
  const newest = all.map(({ unlocked_at: at }) => String(at)).sort();
  expect(body.recent.map(({ unlockedAt }) => unlockedAt)).toEqual(newest.reverse().slice(0, 100));
  for (const { username, achievementId, unlockedAt, points, achievementName, achievementKey } of body.recent) {
    const own = all.find((one) => one.username === username && one.id === achievementId);
    expect({ unlockedAt, points }).toEqual({ unlockedAt: own?.unlocked_at, points: own?.points });
    const isMasked = achievementName === 'Hidden Achievement' && achievementKey === `hidden-${achievementId}`;
    expect(isMasked).toBe(own?.is_hidden);
  }
}
