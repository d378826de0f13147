import { operations } from '@lobbystats/contracts';
import type { Achievements } from '../src/achievements/achievements.ts';
import { GAME, SITE } from './achievement-builders.ts';
import { expectFits, NETWORK, NOW, usersWith } from './achievement-cases.ts';

describe('achievement catalog', () => {
  it('lists every achievement with its unlock count and group totals, and masks hidden ones', async () => {
    const { achievements } = await usersWith({ A: { 1: NOW, 2: NOW }, B: { 1: NOW }, C: {} });
    const { body } = await achievements.catalog();
    expectFits(operations.listAchievements, body);
    expect(body.achievements.map(({ id, key, unlockedBy, groupId }) => [id, key, unlockedBy, groupId])).toEqual([
      [1, 'key-1', 2, 'site'],
      [2, 'hidden-2', 1, 'site'],
      [3, 'key-3', 0, 'harbor-racing'],
      [4, 'hidden-4', 0, 'harbor-racing'],
    ]);
    expect(body.groups).toEqual([
      { ...SITE, totalCount: 2, totalPoints: 35 },
      { ...GAME, imageUrl: `${NETWORK}${GAME.imageUrl}`, totalCount: 2, totalPoints: 150 },
    ]);
    expect(body.stats).toEqual({ maxGamerscore: 185, totalAchievements: 4, playersWithAchievements: 2 });
  });
});

describe('achievement leaderboard', () => {
  const seven = { A: { 4: 1 }, D: { 3: 1 }, b: { 3: 1 }, C: { 3: 1 }, E: { 2: 1 }, F: { 1: 1 }, G: { 1: 1 }, None: {} };
  const names = async (achievements: Achievements, limit: number, around?: string) =>
    (await achievements.leaderboard(limit, { around })).body.leaderboard.map(({ username }) => username).join('');

  it('gives equal scores the same rank and omits users without unlocks', async () => {
    const { achievements } = await usersWith(seven);
    const { body } = await achievements.leaderboard(25);
    expectFits(operations.getAchievementLeaderboard, body);
    expect(body.leaderboard.map(({ rank, username, totalScore }) => [rank, username, totalScore])).toEqual([
      [1, 'A', 100],
      [2, 'C', 50],
      [2, 'D', 50],
      [2, 'b', 50],
      [5, 'E', 25],
      [6, 'F', 10],
      [6, 'G', 10],
    ]);
    expect(await names(achievements, 2)).toBe('AC');
  });

  it('centres the page on a user and fills it at both ends of the leaderboard', async () => {
    const { achievements } = await usersWith(seven);
    expect(await names(achievements, 3, 'B')).toBe('DbE');
    expect(await names(achievements, 4, 'b')).toBe('DbEF');
    expect(await names(achievements, 3, 'a')).toBe('ACD');
    expect(await names(achievements, 3, 'G')).toBe('EFG');
    expect(await names(achievements, 1, 'G')).toBe('G');
    expect(await names(achievements, 100, 'G')).toBe('ACDbEFG');
  });

  it('has pages with an offset, with the number of users on it', async () => {
    const { achievements } = await usersWith(seven);
    const first = await achievements.leaderboard(3, { offset: 0 });
    expectFits(operations.getAchievementLeaderboard, first.body);
    const { leaderboard } = (await achievements.leaderboard(3)).body;
    expect(first).toEqual({ body: { leaderboard, total: 7, limit: 3, offset: 0, hasMore: true }, next: { offset: 3 } });
    const last = await achievements.leaderboard(3, { offset: 5 });
    expect(last.body).toMatchObject({
      leaderboard: [
        { username: 'F', rank: 6 },
        { username: 'G', rank: 6 },
      ],
    });
    expect([last.body.hasMore, last.next]).toEqual([false, undefined]);
    const after = await achievements.leaderboard(3, { offset: 7 });
    expect(after.body).toEqual({ leaderboard: [], total: 7, limit: 3, offset: 7, hasMore: false });
  });

  it.each(['None', 'nobody'])('rejects a page around a user who is not on the leaderboard: %s', async (username) => {
    const { achievements } = await usersWith(seven);
    await expect(achievements.leaderboard(25, { around: username })).rejects.toMatchObject({
      code: 'not-found',
      message: 'Unknown username',
    });
  });
});

describe('recent unlocks', () => {
  it('lists unlocks newest first with the game name and masks hidden achievements', async () => {
    const { achievements } = await usersWith({ A: { 1: NOW, 4: NOW - 3 }, B: { 3: NOW, 2: NOW - 2 } });
    const { body, lastModified } = await achievements.recent({ limit: 10 });
    expectFits(operations.listRecentUnlocks, body);
    expect(lastModified).toBe(NOW);
    const masked = { achievementName: 'Hidden Achievement', gameName: '', points: 0 };
    const at = (seconds: number) => new Date((NOW + seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ');
    expect(body.recent).toEqual([
      {
        username: 'A',
        unlockedAt: at(0),
        achievementId: 1,
        achievementKey: 'key-1',
        achievementName: 'First Hour',
        gameName: '',
        points: 10,
      },
      {
        username: 'B',
        unlockedAt: at(0),
        achievementId: 3,
        achievementKey: 'key-3',
        achievementName: 'Sea Legs (Harbor Racing)',
        gameName: 'Harbor Racing',
        points: 50,
      },
      { username: 'B', unlockedAt: at(-2), achievementId: 2, achievementKey: 'hidden-2', ...masked },
      { username: 'A', unlockedAt: at(-3), achievementId: 4, achievementKey: 'hidden-4', ...masked },
    ]);
    expect((await achievements.recent({ limit: 1 })).body.recent).toHaveLength(1);
  });

  it('lists those of one achievement, with their own total', async () => {
    const { achievements } = await usersWith({
      A: { 1: NOW - 9, 4: NOW },
      B: { 1: NOW - 3 },
      C: { 1: NOW - 3, 3: NOW },
    });
    const { body } = await achievements.recent({ limit: 2, offset: 0, achievement: 1 });
    expectFits(operations.listRecentUnlocks, body);
    expect(body.recent.map(({ username, achievementId }) => [username, achievementId])).toEqual([
      ['B', 1],
      ['C', 1],
    ]);
    expect(body).toMatchObject({ total: 3, hasMore: true });
    expect((await achievements.recent({ limit: 9, offset: 0, achievement: 99 })).body).toMatchObject({
      ...{ recent: [], total: 0 },
    });
  });

  it('has a total and a next page only with an offset', async () => {
    const { achievements } = await usersWith({ A: { 1: NOW, 4: NOW - 3 }, B: { 3: NOW - 1 } });
    const plain = await achievements.recent({ limit: 2 });
    expect(Object.keys(plain.body)).toEqual(['recent']);
    expect(plain.next).toBeUndefined();
    const first = await achievements.recent({ limit: 2, offset: 0 });
    expectFits(operations.listRecentUnlocks, first.body);
    expect(first.body).toEqual({ ...plain.body, total: 3, limit: 2, offset: 0, hasMore: true });
    expect(first.next).toEqual({ offset: 2 });
    const last = await achievements.recent({ limit: 2, offset: 2 });
    expect(last.body).toMatchObject({ recent: [{ username: 'A', achievementId: 4 }], total: 3, hasMore: false });
    expect(last.next).toBeUndefined();
    expect((await achievements.recent({ limit: 2, offset: 3 })).body).toMatchObject({
      recent: [],
      total: 3,
      hasMore: false,
    });
  });
});
