import { operations } from '@lobbystats/contracts';
import { Achievements } from '../src/achievements/achievements.ts';
import { definition, definitionsOf, GAME, SITE, TITLE } from './achievement-builders.ts';
import { expectFits, file, NETWORK, NOW, usersWith } from './achievement-cases.ts';

const DAY = 86_400;

describe('achievements of a user', () => {
  it('lists unlocks newest first and all achievements by group', async () => {
    const { achievements } = await usersWith({ EmberFox: { 1: NOW - 50, 3: NOW, 4: NOW - 50 } });
    const { body, lastModified } = await achievements.ofUser('  EMBERFOX ');
    expectFits(operations.getUserAchievements, body);
    expect(lastModified).toBe(NOW);
    expect(body.score).toBe(160);
    expect(body.achievements.map(({ id }) => id)).toEqual([3, 1, 4]);
    expect(body.groups).toEqual([
      {
        ...SITE,
        unlockedCount: 1,
        totalCount: 2,
        earnedPoints: 10,
        achievements: [
          {
            id: 1,
            key: 'key-1',
            name: 'First Hour',
            description: 'Description 1',
            points: 10,
            is_hidden: false,
            earned: true,
            unlocked_at: '2027-01-15 07:59:10',
            game_title_id: null,
            category: 'Lobbystats',
          },
          {
            id: 2,
            key: 'hidden-2',
            name: 'Hidden Achievement',
            description: 'Keep playing to find out.',
            points: 25,
            is_hidden: true,
            earned: false,
            unlocked_at: null,
            game_title_id: null,
            category: 'Lobbystats',
          },
        ],
      },
      {
        ...GAME,
        imageUrl: `${NETWORK}${GAME.imageUrl}`,
        unlockedCount: 2,
        totalCount: 2,
        earnedPoints: 150,
        achievements: [expect.objectContaining({ id: 3, earned: true, game_title_id: TITLE }), body.achievements[2]],
      },
    ]);
    expect(body.achievements[2]).toMatchObject({
      key: 'key-4',
      name: 'Kraken',
      description: 'Description 4',
      revealed_name: 'Kraken',
      revealed_description: 'Description 4',
    });
    expect(body.achievements[0]).not.toHaveProperty('revealed_name');
  });

  it('are all locked for a user without unlocks', async () => {
    const { achievements } = await usersWith({ EmberFox: {} });
    const { body, lastModified } = await achievements.ofUser('EmberFox');
    expect(body).toMatchObject({ score: 0, achievements: [] });
    expect(body.groups.map(({ unlockedCount, totalCount }) => [unlockedCount, totalCount])).toEqual([
      [0, 2],
      [0, 2],
    ]);
    expect(lastModified).toBeUndefined();
  });

  it('are rejected with not-found for an unknown user', async () => {
    const { achievements } = await usersWith({});
    await expect(achievements.ofUser('nobody')).rejects.toMatchObject({
      code: 'not-found',
      message: 'Unknown username',
    });
  });

  it('keep removed achievements for users who have them, in their group or an extra one', async () => {
    const removedFromGame = definition(7, {
      name: 'Old Anchor',
      group: { ...GAME, displayName: 'Harbour' },
      points: 5,
    });
    const removedGroup = { groupId: 'old', titleId: null, displayName: 'Old Days', imageUrl: '' };
    const removedWithGroup = definition(8, { name: 'Relic', group: removedGroup, points: 20, isHidden: true });
    const unlocked = { EmberFox: { 7: NOW, 8: NOW - 1 }, Other: { 1: NOW } };
    const { achievements } = await usersWith(unlocked, { removed: [removedFromGame, removedWithGroup] });
    const { body } = await achievements.ofUser('EmberFox');
    expectFits(operations.getUserAchievements, body);
    expect(body.score).toBe(25);
    expect(body.groups.map(({ groupId, totalCount, earnedPoints }) => [groupId, totalCount, earnedPoints])).toEqual([
      ['site', 2, 0],
      ['harbor-racing', 3, 5],
      ['old', 1, 20],
    ]);
    expect(body.achievements[0]).toMatchObject({ id: 7, name: 'Old Anchor', category: 'Harbor Racing' });
    expect(body.achievements[1]).toMatchObject({ id: 8, revealed_name: 'Relic', category: 'Old Days' });

    const others = (await achievements.ofUser('Other')).body;
    expect(others.groups.map(({ groupId, totalCount }) => [groupId, totalCount])).toEqual([
      ['site', 2],
      ['harbor-racing', 2],
    ]);
    const catalog = (await achievements.catalog()).body;
    expect(catalog.achievements.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(catalog.stats).toEqual({ maxGamerscore: 185, totalAchievements: 4, playersWithAchievements: 2 });
    const { recent } = (await achievements.recent({ limit: 10 })).body;
    expect(recent.map(({ achievementName }) => achievementName)).toEqual([
      'First Hour',
      'Old Anchor (Harbour)',
      'Hidden Achievement',
    ]);
  });

  it('show the current definition, not that at the time of the unlock', async () => {
    const before = definition(1, { name: 'Old Name', points: 1 });
    const { store } = await usersWith({ EmberFox: { 1: NOW } }, { definitions: definitionsOf([before]) });
    const achievements = new Achievements({
      store: store.users,
      definitions: file,
      networkUrl: NETWORK,
    });
    expect((await achievements.ofUser('EmberFox')).body).toMatchObject({
      score: 10,
      achievements: [{ name: 'First Hour', points: 10 }],
    });
  });
});

describe('new unlocks of a profile', () => {
  it('are those of the last 24 hours, newest first, unmasked', async () => {
    const times = { 1: NOW - DAY, 2: NOW - DAY + 1, 3: NOW - 5, 4: NOW - DAY - 1 };
    const { achievements } = await usersWith({ EmberFox: times });
    expect(await achievements.newUnlocks('emberfox', NOW)).toEqual([
      { id: 3, key: 'key-3', name: 'Sea Legs', points: 50, unlocked_at: '2027-01-15 07:59:55' },
      { id: 2, key: 'key-2', name: 'Night Owl', points: 25, unlocked_at: '2027-01-14 08:00:01' },
    ]);
  });
});
