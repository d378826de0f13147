import { operations } from '@lobbystats/contracts';
import { definition, definitionsOf } from './achievement-builders.ts';
import { NOW, pathOf, runUserApi, type RunningUserApi, type UserProfile } from './running-user-api.ts';

const UPDATE = operations.updateProfile.path;
const OTHER_TITLE = '4d530001';

const profileOf = async (users: RunningUserApi, username = 'EmberFox') =>
  (await users.get<UserProfile>(pathOf(operations.getUserProfile, username))).body;
const namePath = pathOf(operations.getLeaderboardName, 'EmberFox');
const gamesPath = pathOf(operations.getUserGames, 'EmberFox');

describe('user known from the feed', () => {
  it('has a profile that contains only data of the feed', async () => {
    const users = await runUserApi();
    await users.observe({});
    expect(await profileOf(users)).toEqual({
      username: 'EmberFox',
      profile: {
        avatar_url: '',
        avatar_hue: null,
        discord_profile_url: '',
        linked_gamertag: '',
        console_verified: true,
        bio: '',
        social_links: [],
        sync_avatar_from_discord: false,
        discord_verified: false,
      },
      playTime: {
        totalMinutes: 5,
        lastState: 'online',
        current: { titleId: '4d530064', game: 'Harbor Racing' },
        byTitle: [{ titleId: '4d530064', minutes: 5 }],
        lastPlayedTitleId: '4d530064',
        lastPlayedAt: '2027-01-15 08:00:00',
        lastOnlineAt: '2027-01-15 08:00:00',
      },
      achievementScore: 0,
      achievementCount: 0,
      newUnlocks: [],
      leaderboardPlayerName: 'EmberFox',
      usesExplicitConsoleLiveGamertag: false,
    });
  });

  it('is offline when the feed reports it, and keeps the last played title', async () => {
    const users = await runUserApi();
    await users.observe({});
    users.clock.nowMs = (NOW + 600) * 1000;
    await users.observe({ titleId: OTHER_TITLE, game: 'Other' });
    users.clock.nowMs = (NOW + 900) * 1000;
    await users.observe({ isOnline: false, titleId: null, game: null });
    expect((await profileOf(users)).playTime).toEqual({
      totalMinutes: 10,
      lastState: 'offline',
      current: null,
      byTitle: [
        { titleId: OTHER_TITLE, minutes: 5 },
        { titleId: '4d530064', minutes: 5 },
      ],
      lastPlayedTitleId: OTHER_TITLE,
      lastPlayedAt: '2027-01-15 08:10:00',
      lastOnlineAt: '2027-01-15 08:15:00',
    });
  });

  it('shows new unlocks for a day, hidden ones unmasked', async () => {
    const rule = { kind: 'play-minutes', minutes: 5 } as const;
    const secret = definition(2, { name: 'Secret', key: 'secret', isHidden: true, rule });
    const users = await runUserApi({ definitions: definitionsOf([secret]) });
    await users.observe({});
    const unlock = { id: 2, key: 'secret', name: 'Secret', points: 10, unlocked_at: '2027-01-15 08:00:00' };
    expect(await profileOf(users)).toMatchObject({ achievementScore: 10, achievementCount: 1, newUnlocks: [unlock] });
    users.clock.nowMs = (NOW + 86_400) * 1000;
    expect(await profileOf(users)).toMatchObject({ achievementScore: 10, achievementCount: 1, newUnlocks: [] });
  });

  it('is online without a game when the feed names none', async () => {
    const users = await runUserApi();
    await users.observe({ titleId: null, game: null });
    expect((await profileOf(users)).playTime).toMatchObject({ lastState: 'online', current: null, lastPlayedAt: null });
  });

  it('lists games by play time, longest first, then by title', async () => {
    const users = await runUserApi();
    for (const [slot, titleId] of ['4d530064', '4d530002', OTHER_TITLE, '4d530002'].entries()) {
      users.clock.nowMs = (NOW + slot * 300) * 1000;
      await users.observe({ titleId });
    }
    expect((await users.get(gamesPath)).body).toEqual({
      leaderboardPlayerName: 'EmberFox',
      games: [
        { titleId: '4d530002', totalMinutes: 10, lastPlayedAt: '2027-01-15 08:15:00' },
        { titleId: OTHER_TITLE, totalMinutes: 5, lastPlayedAt: '2027-01-15 08:10:00' },
        { titleId: '4d530064', totalMinutes: 5, lastPlayedAt: '2027-01-15 08:00:00' },
      ],
      hasPlayTimeTracking: true,
    });
  });
});

describe('linked gamertag', () => {
  it('is the name on leaderboards, with the username as fallback', async () => {
    const users = await runUserApi();
    await users.observe({});
    expect((await users.get(namePath)).body).toEqual({ playerName: 'EmberFox', explicitConsoleLiveGamertag: null });
    await users.send(UPDATE, { linked_gamertag: ' Fox In Boots ' });
    const name = 'Fox In Boots';
    expect((await users.get(namePath)).body).toEqual({ playerName: name, explicitConsoleLiveGamertag: name });
    expect((await users.get(gamesPath)).body).toMatchObject({ leaderboardPlayerName: name });
    expect(await profileOf(users)).toMatchObject({
      leaderboardPlayerName: name,
      usesExplicitConsoleLiveGamertag: true,
    });
  });

  it('does not add the play time of the user whose gamertag it is', async () => {
    const users = await runUserApi();
    await users.observe({ username: 'Marlow', gamertag: 'Marlow 1' });
    await users.send(UPDATE, { linked_gamertag: 'Marlow 1' });
    expect((await profileOf(users)).playTime.totalMinutes).toBe(0);
  });
});

describe('user unknown to the feed', () => {
  it('has no play time tracking', async () => {
    const users = await runUserApi();
    await users.send(UPDATE, { bio: 'Hello' });
    expect((await users.get(gamesPath)).body).toMatchObject({ games: [], hasPlayTimeTracking: false });
    expect((await profileOf(users)).playTime).toMatchObject({ lastState: 'offline', lastOnlineAt: null });
  });

  it.each([operations.getUserProfile, operations.getUserGames, operations.getLeaderboardName])(
    'is unknown until they have written a profile: $id',
    async (operation) => {
      const users = await runUserApi();
      await users.observe({});
      expect(await users.get(pathOf(operation, 'Nobody'))).toMatchObject({
        status: 404,
        body: { error: 'Unknown username' },
      });
      expect(await users.get(pathOf(operation, 'constructor'))).toMatchObject({ status: 404 });
      expect(await users.get(pathOf(operation, 'no<body>'))).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/^username must be/) },
      });
      expect(await users.get(pathOf(operation, ' EMBERFOX '))).toMatchObject({ status: 200 });
    },
  );
});
