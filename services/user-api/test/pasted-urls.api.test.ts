import { operations, type Profile } from '@lobbystats/contracts';
import { DISCORD_API_URL, mockDiscord } from './mock-discord.ts';
import { pathOf, runUserApi, type RunningUserApi, type UserProfile } from './running-user-api.ts';

const PATH = operations.updateProfile.path;
const DISCORD = 'https://discord.com/users/123456789012345678';

const run = async () => {
  mockDiscord();
  return { users: await runUserApi({ env: { DISCORD_API_URL } }) };
};

const profileOf = async (users: RunningUserApi) =>
  (await users.get<UserProfile>(pathOf(operations.getUserProfile, 'EmberFox'))).body.profile;

describe('profile update with a pasted URL', () => {
  it.each([
    `${DISCORD}/`,
    ` ${DISCORD}\n`,
    `${DISCORD}?utm_source=app`,
    `${DISCORD}#me`,
    DISCORD.replace('https', 'http'),
    DISCORD.replace('https://', ''),
    DISCORD.replace('discord.com', 'www.discord.com'),
    DISCORD.replace('discord.com', 'discordapp.com'),
    DISCORD.replace('discord.com', 'canary.discord.com'),
    DISCORD.replace('https://discord.com', 'HTTPS://Discord.COM'),
  ])('accepts the Discord profile as people paste it: %j', async (url) => {
    const { users } = await run();
    expect((await users.send(PATH, { discord_profile_url: url })).status).toBe(200);
    expect((await profileOf(users)).discord_profile_url).toBe(DISCORD);
  });

  it.each([
    [' https://Example.COM:443/A.png?b=C ', 'https://example.com/A.png?b=C'],
    ['HTTPS://example.com', 'https://example.com/'],
  ])('stores the avatar %j as %s', async (url, stored) => {
    const { users } = await run();
    await users.send(PATH, { avatar_url: url });
    expect((await profileOf(users)).avatar_url).toBe(stored);
  });

  it('stores one of two links that differ in the spelling of their URL', async () => {
    const { users } = await run();
    const spellings = ['https://github.com/Ember', 'HTTPS://GitHub.com/Ember/', 'https://github.com:443/Ember'];
    const { body } = await users.send<{ profile: Profile }>(PATH, {
      discord_profile_url: DISCORD,
      social_links: [...spellings, 'https://github.com/ember'].map((url) => ({ platform: 'github', url })),
    });
    expect(body.profile.social_links.map(({ url }) => url)).toEqual([
      'https://github.com/Ember',
      'https://github.com/ember',
    ]);
  });

  it.each([
    { discord_profile_url: `${DISCORD} ${DISCORD}` },
    { discord_profile_url: DISCORD.replace('https://', 'https://a@') },
    { discord_profile_url: DISCORD.replace('discord.com', 'discord.com.example') },
    { avatar_url: `https://example.com/${'é'.repeat(500)}` },
    { avatar_url: 'https://a:b@example.com/' },
  ])('rejects %j', async (body) => {
    const { users } = await run();
    expect((await users.send(PATH, body)).status).toBe(400);
  });
});
