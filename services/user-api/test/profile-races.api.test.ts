import { operations, profileUpdated, type Profile } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { DISCORD_API_URL, mockDiscord } from './mock-discord.ts';
import { pathOf, runUserApi, type UserProfile } from './running-user-api.ts';

const PATH = operations.updateProfile.path;

describe('concurrent profile updates', () => {
  it('of one user are applied atomically and in order', async () => {
    const users = await runUserApi();
    const numbers = Array.from({ length: 50 }, (_, number) => number);
    const answers = await Promise.all(
      numbers.map((number) =>
        users.send<{ profile: Profile }>(PATH, {
          bio: `bio ${number}`,
          avatar_hue: number,
          linked_gamertag: `tag ${number}`,
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    const { body } = await users.get<UserProfile>(pathOf(operations.getUserProfile, 'EmberFox'));
    const last = body.profile.avatar_hue;
    expect(body.profile).toMatchObject({ bio: `bio ${last}`, linked_gamertag: `tag ${last}` });
    expect(answers.map((answer) => answer.body.profile.bio)).toEqual(numbers.map((number) => `bio ${number}`));
    await eventually(async () => {
      expect((await users.get('/readyz')).body).toMatchObject({ outbox: { waiting: 0 } });
    });
    const ids = users.published(profileUpdated).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('fail individually', async () => {
    const users = await runUserApi();
    const link = { platform: 'twitch', url: 'https://twitch.tv/ember', label: null };
    const bodies = Array.from({ length: 30 }, (_, hue) =>
      hue % 3 === 0 ? { avatar_hue: hue, social_links: [link] } : { avatar_hue: hue },
    );
    const answers = await Promise.all(bodies.map((body) => users.send(PATH, body)));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map((_, hue) => (hue % 3 === 0 ? 403 : 200)));
    const { body } = await users.get<UserProfile>(pathOf(operations.getUserProfile, 'EmberFox'));
    expect(body.profile).toMatchObject({ avatar_hue: 29, social_links: [] });
  });

  it('of different fields are all applied', async () => {
    mockDiscord();
    const users = await runUserApi({ env: { DISCORD_API_URL } });
    const fields = {
      avatar_url: 'https://example.com/a.png',
      avatar_hue: 7,
      discord_profile_url: 'https://discord.com/users/123456789012345678',
      linked_gamertag: 'Ember Fox',
      bio: 'All of it',
    };
    await Promise.all(Object.entries(fields).map(([name, value]) => users.send(PATH, { [name]: value })));
    const { body } = await users.get<UserProfile>(pathOf(operations.getUserProfile, 'EmberFox'));
    expect(body.profile).toMatchObject(fields);
  });

  it('with the same Discord ID succeed for one profile only', async () => {
    mockDiscord();
    const users = await runUserApi({ env: { DISCORD_API_URL } });
    const body = { discord_profile_url: 'https://discord.com/users/123456789012345678' };
    const names = Array.from({ length: 10 }, (_, number) => `Person ${number}`);
    const answers = await Promise.all(names.map((as) => users.send(PATH, body, { as })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
  });

  it('lose nothing when presence messages arrive at the same time', async () => {
    const users = await runUserApi();
    await Promise.all([
      ...Array.from({ length: 10 }, (_, number) => users.send(PATH, { avatar_hue: number })),
      users.observe({ username: 'emberfox', gamertag: 'Ember Fox' }),
      users.observe({ username: 'Emberfox', lastSeenAt: '2027-01-15T07:55:00Z' }),
    ]);
    const { body } = await users.get<UserProfile>(pathOf(operations.getUserProfile, 'EmberFox'));
    expect(body.profile).toMatchObject({ avatar_hue: 9, console_verified: true });
    expect(body.playTime.totalMinutes).toBeGreaterThan(0);
  });
});
