import { achievementUnlocked, operations, type OperationResponse } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import type { Definitions } from '../src/definitions/definitions.ts';
import { definition, definitionsOf, GAME, TITLE } from './achievement-builders.ts';
import { emptyStore } from './achievement-stores.ts';
import { pathOf, runUserApi } from './running-user-api.ts';

type UserAchievements = OperationResponse<typeof operations.getUserAchievements>;
type Catalog = OperationResponse<typeof operations.listAchievements>;
type Leaderboard = OperationResponse<typeof operations.getAchievementLeaderboard>;
type Recent = OperationResponse<typeof operations.listRecentUnlocks>;

const first = definition(1, { name: 'Just Looking', points: 5, rule: { kind: 'play-minutes', minutes: 5 } });
const secret = definition(2, {
  key: 'zq-key',
  name: 'Zq Name',
  description: 'Zq text',
  points: 25,
  isHidden: true,
  group: GAME,
  rule: { kind: 'play-minutes-in-title', titleId: TITLE, minutes: 5 },
});
const later = definition(3, { name: 'One Title', points: 10, rule: { kind: 'titles-played', count: 1 } });
const file = definitionsOf([first, secret]);

const catalogPath = operations.listAchievements.path;
const leaderboardPath = operations.getAchievementLeaderboard.path;
const recentPath = operations.listRecentUnlocks.path;
const ofUser = (username: string) => pathOf(operations.getUserAchievements, username);

describe('user seen in a game', () => {
  it('unlocks the achievements earned with the slot and shows them in all responses', async () => {
    const api = await runUserApi({ definitions: file });
    await api.observe(
      { username: 'EmberFox', titleId: TITLE },
      { username: 'Other', gamertag: 'Other', titleId: null },
    );

    const own = await api.get<UserAchievements>(ofUser('emberfox'));
    expect(own.status).toBe(200);
    expect(own.body.score).toBe(30);
    expect(own.body.achievements).toMatchObject([
      { id: 1, name: 'Just Looking', unlocked_at: '2027-01-15 08:00:00' },
      { id: 2, name: 'Zq Name', key: 'zq-key', revealed_name: 'Zq Name', revealed_description: 'Zq text' },
    ]);
    expect(own.headers.get('last-modified')).toBe('Fri, 15 Jan 2027 08:00:00 GMT');
    expect((await api.get<Leaderboard>(leaderboardPath)).body.leaderboard).toEqual([
      { rank: 1, username: 'EmberFox', totalScore: 30, achievementCount: 2 },
    ]);
    expect((await api.get<Catalog>(catalogPath)).body.stats).toEqual({
      maxGamerscore: 30,
      totalAchievements: 2,
      playersWithAchievements: 1,
    });
  });

  it('does not reveal a hidden achievement to other users, in lists, in facts or in the log', async () => {
    const api = await runUserApi({ definitions: file });
    await api.observe(
      { username: 'EmberFox', titleId: TITLE },
      { username: 'Other', gamertag: 'Other', titleId: null },
    );
    const unlockFacts = await eventually(async () => {
      const facts = api.published(achievementUnlocked).filter(({ data }) => data.unlocks.length > 0);
      expect(facts).toHaveLength(1);
      return facts;
    });
    const answers = await Promise.all(
      [ofUser('Other'), catalogPath, leaderboardPath, recentPath].map((path) => api.get(path)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(JSON.stringify([answers.map(({ body }) => body), unlockFacts])).not.toMatch(/zq/i);
    expect(api.logged.join('\n')).not.toMatch(/zq/i);
    const { recent } = answers[3]!.body as Recent;
    expect(recent[1]).toEqual({
      username: 'EmberFox',
      unlockedAt: '2027-01-15 08:00:00',
      achievementId: 2,
      achievementKey: 'hidden-2',
      achievementName: 'Hidden Achievement',
      gameName: '',
      points: 0,
    });
  });
});

describe('achievement routes', () => {
  it.each([
    [ofUser('nobody'), 404, 'Unknown username'],
    [ofUser('no/body'), 400, 'username must be 1 to 32 letters, digits, spaces or . _ -'],
    [`${leaderboardPath}?around=nobody`, 404, 'Unknown username'],
    [`${leaderboardPath}?around=`, 400, 'around must be 1 to 32 letters, digits, spaces or . _ -'],
    [`${leaderboardPath}?around=EmberFox&offset=0`, 400, "around can't be given with offset"],
    [`${leaderboardPath}?offset=100001`, 400, 'offset must be an integer from 0 to 100000'],
    [`${leaderboardPath}?limit=101`, 400, 'limit must be an integer from 1 to 100'],
    [`${leaderboardPath}?limit=0`, 400, 'limit must be an integer from 1 to 100'],
    [`${recentPath}?limit=1&limit=2`, 400, 'limit must be an integer from 1 to 100'],
    [ofUser('__proto__'), 404, 'Unknown username'],
  ])('rejects %s with %s', async (path, status, error) => {
    const api = await runUserApi({ definitions: file });
    expect(await api.get(path)).toMatchObject({ status, body: { error } });
  });

  it('returns empty lists and zero counts before any user is known', async () => {
    const api = await runUserApi({ definitions: file });
    expect((await api.get(leaderboardPath)).body).toEqual({ leaderboard: [] });
    const recent = await api.get(recentPath);
    expect(recent.body).toEqual({ recent: [] });
    expect(recent.headers.get('last-modified')).toBeNull();
    expect((await api.get<Catalog>(catalogPath)).body.achievements[1]).toEqual({
      id: 2,
      key: 'hidden-2',
      name: 'Hidden Achievement',
      description: 'Keep playing to find out.',
      points: 25,
      is_hidden: true,
      game_title_id: TITLE,
      category: 'Harbor Racing',
      groupId: 'harbor-racing',
      unlockedBy: 0,
    });
  });
});

describe('start with a changed definitions file', () => {
  it('re-evaluates all users in the background and unlocks what they have already earned', async () => {
    const store = emptyStore();
    const withStore = (definitions: Definitions) => runUserApi({ store, definitions });
    const before = await withStore(file);
    await before.observe({ username: 'EmberFox', titleId: TITLE });

    const after = await withStore(definitionsOf([{ ...first, points: 15 }, later], 'changed'));
    await eventually(async () => {
      expect((await after.get<Leaderboard>(leaderboardPath)).body.leaderboard).toEqual([
        { rank: 1, username: 'EmberFox', totalScore: 50, achievementCount: 3 },
      ]);
    });
    const own = (await after.get<UserAchievements>(ofUser('EmberFox'))).body;
    expect(own.achievements.map(({ id, unlocked_at }) => [id, unlocked_at])).toEqual([
      [1, '2027-01-15 08:00:00'],
      [2, '2027-01-15 08:00:00'],
      [3, '2027-01-15 08:00:00'],
    ]);
    expect(own.groups.map(({ groupId }) => groupId)).toEqual(['site', 'harbor-racing']);
    expect(after.logged.some((line) => line.includes('Re-evaluation of all users'))).toBe(true);
  });
});
