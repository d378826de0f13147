import type { RequestListener } from 'node:http';
import { operations, profileUpdated, type Profile } from '@lobbystats/contracts';
import { slowResponse, eventually, truncatedResponse, serveRaw } from '@lobbystats/test-kit';
import { DISCORD_API_URL, mockDiscord, user, type MockedDiscord } from './mock-discord.ts';
import { pathOf, runUserApi, type RunningUserApi, type UserProfile } from './running-user-api.ts';

const PATH = operations.updateProfile.path;
const ID = '123456789012345678';
const OTHER_ID = '99999999999999999999';
const urlOf = (id: string) => `https://discord.com/users/${id}`;
const avatarOf = (id: string, hash = 'a_0123abcd') => `https://cdn.discordapp.com/avatars/${id}/${hash}.png`;
const TOKEN = 'the-bots-own-token';

const run = async (url = DISCORD_API_URL) => {
  const discord = mockDiscord();
  const users = await runUserApi({ env: { DISCORD_API_URL: url, DISCORD_BOT_TOKEN: TOKEN } });
  const update = async (body: object) => (await users.send<{ profile: Profile }>(PATH, body)).body.profile;
  return { discord, users, update };
};

const readProfile = (users: RunningUserApi) =>
  users.get<UserProfile>(pathOf(operations.getUserProfile, 'EmberFox')).then(({ body }) => body.profile);

describe('Discord ID', () => {
  it('is looked up at the configured URL with the bot token', async () => {
    const { discord, update } = await run();
    expect(await update({ discord_profile_url: urlOf(ID) })).toMatchObject({
      discord_profile_url: urlOf(ID),
      discord_verified: true,
      avatar_url: '',
    });
    expect(discord.requests).toMatchObject([{ url: `/users/${ID}`, headers: { authorization: `Bot ${TOKEN}` } }]);
  });

  it('is looked up without a token when none is configured', async () => {
    const discord = mockDiscord();
    const users = await runUserApi({ env: { DISCORD_API_URL: `${DISCORD_API_URL}/discord/` } });
    await users.send(PATH, { discord_profile_url: urlOf(ID) });
    expect(discord.requests).toMatchObject([{ url: `/discord/users/${ID}` }]);
    expect(discord.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is looked up once and not again for the same ID or another field', async () => {
    const { discord, update } = await run();
    await update({ discord_profile_url: urlOf(ID), sync_avatar_from_discord: true });
    await update({ discord_profile_url: urlOf(ID), sync_avatar_from_discord: true, bio: 'One' });
    await update({ bio: 'Two' });
    await update({ discord_profile_url: null });
    expect(discord.requests).toHaveLength(1);
  });

  it.each([null, ''])('removes the social links in the same write when it is cleared by %j', async (cleared) => {
    const { users, update } = await run();
    const social_links = [{ platform: 'youtube', url: 'https://youtube.com/@ember', label: null }];
    await update({ discord_profile_url: urlOf(ID), social_links });
    const expected = { discord_profile_url: '', discord_verified: false, social_links: [] };
    expect(await update({ discord_profile_url: cleared })).toMatchObject(expected);
    expect(await readProfile(users)).toMatchObject(expected);
    await eventually(() => expect(users.published(profileUpdated)).toHaveLength(2));
  });

  it('is rejected with 400 when Discord does not know it', async () => {
    const { discord, users } = await run();
    discord.answer = () => [404, { message: 'Unknown User', code: 10013 }];
    const answer = await users.send(PATH, { discord_profile_url: urlOf(ID), bio: 'Changed' });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'discord_profile_url is of nobody whom Discord knows' },
    });
    expect(await users.get(pathOf(operations.getUserProfile, 'EmberFox'))).toMatchObject({ status: 404 });
  });
});

describe('many Discord IDs of one user', () => {
  it('are not looked up after the fifth of an hour', async () => {
    const { discord, users } = await run();
    const statuses: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      statuses.push((await users.send(PATH, { discord_profile_url: urlOf(`1234567890123456${10 + i}`) })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 5 }, () => 200), ...Array.from({ length: 15 }, () => 502)]);
    expect(discord.requests).toHaveLength(5);
  });
});

describe('avatar from Discord', () => {
  it('is set with each new Discord ID while synchronisation is on', async () => {
    const { update } = await run();
    expect(await update({ discord_profile_url: urlOf(ID), sync_avatar_from_discord: true })).toMatchObject({
      avatar_url: avatarOf(ID),
    });
    expect(await update({ discord_profile_url: urlOf(OTHER_ID) })).toMatchObject({ avatar_url: avatarOf(OTHER_ID) });
  });

  it('is set for the current Discord ID when synchronisation is switched on', async () => {
    const { update, discord } = await run();
    await update({ discord_profile_url: urlOf(ID) });
    expect(await update({ sync_avatar_from_discord: true })).toMatchObject({ avatar_url: avatarOf(ID) });
    expect(discord.requests).toHaveLength(2);
  });

  it('does not override an avatar in the same request', async () => {
    const { update } = await run();
    const own = 'https://example.com/own.png';
    const both = { discord_profile_url: urlOf(ID), sync_avatar_from_discord: true };
    expect(await update({ ...both, avatar_url: own })).toMatchObject({ avatar_url: own });
    expect(await update({ discord_profile_url: urlOf(OTHER_ID), avatar_url: null })).toMatchObject({ avatar_url: '' });
  });

  it.each([
    ['none', null],
    ['a path', '../../x'],
    ['a long one', 'x'.repeat(65)],
    ['a number', 5],
  ])('leaves the avatar unchanged when Discord returns %s', async (_what, avatar) => {
    const { update, discord } = await run();
    const own = 'https://example.com/own.png';
    await update({ avatar_url: own });
    discord.answer = (id) => user(id, { avatar });
    const both = { discord_profile_url: urlOf(ID), sync_avatar_from_discord: true };
    expect(await update(both)).toMatchObject({ avatar_url: own, discord_verified: true });
  });

  it.each([{}, { sync_avatar_from_discord: false }])('is cleared with the Discord ID: %j', async (before) => {
    const { update } = await run();
    await update({ discord_profile_url: urlOf(ID), sync_avatar_from_discord: true });
    expect(await update(before)).toMatchObject({ avatar_url: avatarOf(ID) });
    expect(await update({ discord_profile_url: null })).toMatchObject({ discord_profile_url: '', avatar_url: '' });
  });

  it('keeps the avatar that the user set when the Discord ID is cleared', async () => {
    const { update } = await run();
    const own = 'https://example.com/own.png';
    await update({ discord_profile_url: urlOf(ID), sync_avatar_from_discord: true });
    await update({ avatar_url: own });
    expect(await update({ discord_profile_url: null })).toMatchObject({ avatar_url: own });
  });

  it('is never fetched by the service', async () => {
    const { update, discord } = await run();
    const here = `https://${new URL(DISCORD_API_URL).host}/avatar.png`;
    expect(await update({ avatar_url: here })).toMatchObject({ avatar_url: here });
    expect(discord.requests).toEqual([]);
  });
});

describe('failed Discord look-up', () => {
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const expectFailed = async ({ users, update }: Awaited<ReturnType<typeof run>>) => {
    await update({ bio: 'Before' });
    const failed = await users.send(PATH, { discord_profile_url: urlOf(ID), bio: 'Changed' });
    expect(failed).toMatchObject({ status: 502, body: { error: 'The look-up in Discord failed' } });
    expect(await readProfile(users)).toMatchObject({ bio: 'Before', discord_profile_url: '' });
  };

  it.each<[string, MockedDiscord['answer']]>([
    ['an error', () => [500, {}]],
    ['a limit', () => [429, { retry_after: 1 }]],
    ['a refused token', () => [401, { message: '401: Unauthorized' }]],
    ['a redirect', (id) => [302, '', { Location: `/elsewhere/users/${id}` }]],
    ['another number', () => user(OTHER_ID)],
    ['a number as such', (id) => user(id, { id: Number(ID) })],
    ['no JSON', () => [200, '<html>', JSON_TYPE]],
    ['nothing', () => [200]],
    ['null', () => [200, 'null', JSON_TYPE]],
    ['far too much', (id) => user(id, { more: 'x'.repeat(100_000) })],
  ])('with %s is 502 and leaves the profile as it was', async (_what, answer) => {
    const running = await run();
    running.discord.answer = answer;
    await expectFailed(running);
    expect(running.discord.requests).toHaveLength(1);
  });

  it('with a limit is followed by no look-up before its Retry-After', async () => {
    const running = await run();
    running.discord.answer = () => [429, { retry_after: 300 }, { 'Retry-After': '300' }];
    for (let i = 0; i < 5; i += 1) await expectFailed(running);
    expect(running.discord.requests).toHaveLength(1);
  });

  it.each<[string, RequestListener]>([
    ['half an answer', truncatedResponse('{')],
    ['a cut connection', (_, res) => res.destroy()],
  ])('with %s is 502 and leaves the profile as it was', async (_what, listener) => {
    let asked = 0;
    const url = await serveRaw((req, res) => {
      asked += 1;
      listener(req, res);
    });
    await expectFailed(await run(url));
    expect(asked).toBe(1);
  });

  it.each<[string, RequestListener]>([
    ['no answer', () => undefined],
    ['an answer without an end', slowResponse],
  ])('with %s times out without delaying other updates', async (_what, listener) => {
    const { users, update } = await run(await serveRaw(listener));
    let isSlowOver = false;
    const slow = users.send(PATH, { discord_profile_url: urlOf(ID), bio: 'Slow' }).finally(() => {
      isSlowOver = true;
    });
    expect(await update({ bio: 'Quick' })).toMatchObject({ bio: 'Quick' });
    expect(isSlowOver).toBe(false);
    expect(await slow).toMatchObject({ status: 502 });
    expect(await readProfile(users)).toMatchObject({ bio: 'Quick' });
  });

  it('answers 503 in time when queued look-ups are too slow, and never applies that update later', async () => {
    const { discord, users, update } = await run();
    let answered = 0;
    discord.answer = (id) =>
      new Promise((resolve) => {
        setTimeout(() => {
          answered += 1;
          resolve(user(id));
        }, 1400);
      });
    const first = update({ discord_profile_url: urlOf(ID) });
    await eventually(() => expect(discord.requests).toHaveLength(1));
    const second = users.send(PATH, { discord_profile_url: urlOf(OTHER_ID), sync_avatar_from_discord: true });
    expect(await first).toMatchObject({ discord_profile_url: urlOf(ID) });
    expect(await second).toMatchObject({ status: 503 });
    // Before its own look-up is answered.
    expect(answered).toBe(1);
    await eventually(() => expect(answered).toBe(2));
    for (const bio of ['One', 'Two', 'Three']) await update({ bio });
    expect(await readProfile(users)).toMatchObject({ bio: 'Three', discord_profile_url: urlOf(ID) });
  });

  it('answers 502 without details when the connection is refused', async () => {
    const users = await runUserApi({ env: { DISCORD_API_URL: 'http://127.0.0.1:1', DISCORD_BOT_TOKEN: TOKEN } });
    const answer = await users.send(PATH, { discord_profile_url: urlOf(ID) });
    expect(answer).toMatchObject({ status: 502, body: { error: 'The look-up in Discord failed' } });
    expect(users.logged.join('')).toContain('ECONNREFUSED');
    expect(users.logged.join('')).not.toContain(TOKEN);
  });

  it('applies an update after its look-up to the state at that time', async () => {
    const { discord, users, update } = await run();
    const waiting: (() => void)[] = [];
    discord.answer = (id) => new Promise((resolve) => void waiting.push(() => resolve(user(id))));
    const asking = update({ discord_profile_url: urlOf(ID), sync_avatar_from_discord: true });
    const taking = (async () => {
      while (waiting.length === 0) await update({ avatar_hue: waiting.length });
      discord.answer = user;
      return users.send(PATH, { discord_profile_url: urlOf(ID) }, { as: 'Marlow' });
    })();
    expect(await taking).toMatchObject({ status: 200 });
    waiting.forEach((answer) => answer());
    expect(await asking).toBeUndefined();
    expect(await readProfile(users)).toMatchObject({ discord_profile_url: '', avatar_url: '', avatar_hue: 0 });
  });
});
