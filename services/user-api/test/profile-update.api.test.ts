import { operations, profileUpdated, userStored, type Profile } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { DISCORD_API_URL, mockDiscord } from './mock-discord.ts';
import { pathOf, runUserApi, sessionKeyOf, type RunningUserApi, type UserProfile } from './running-user-api.ts';

const PATH = operations.updateProfile.path;
const DISCORD = 'https://discord.com/users/123456789012345678';
const LINK = { platform: 'youtube', url: 'https://youtube.com/@ember', label: null };

const unset: Profile = {
  avatar_url: '',
  avatar_hue: null,
  discord_profile_url: '',
  linked_gamertag: '',
  console_verified: false,
  bio: '',
  social_links: [],
  sync_avatar_from_discord: false,
  discord_verified: false,
};

const full = {
  avatar_url: 'https://example.com/a.png',
  avatar_hue: 359,
  discord_profile_url: DISCORD,
  linked_gamertag: 'Ember Fox',
  bio: 'Plays <b>all</b> night\n"really"',
  social_links: [LINK],
  sync_avatar_from_discord: true,
};

const run = async () => {
  const discord = mockDiscord();
  const users = await runUserApi({ env: { DISCORD_API_URL } });
  return { discord, users };
};

const profileOf = async (users: RunningUserApi, username = 'EmberFox') =>
  (await users.get<UserProfile>(pathOf(operations.getUserProfile, username))).body.profile;

describe('profile update', () => {
  it.each(['POST', 'PATCH'] as const)('by %s returns the whole profile, which reads show at once', async (method) => {
    const { users } = await run();
    const { status, body } = await users.send(PATH, full, { method });
    const profile = { ...unset, ...full, discord_verified: true };
    expect({ status, body }).toEqual({ status: 200, body: { success: true, profile } });
    expect(await profileOf(users)).toEqual(profile);
  });

  it('accepts the session key in the body as well as in the header', async () => {
    const { users } = await run();
    const body = { sessionKey: sessionKeyOf('EmberFox'), bio: 'Hello' };
    expect(await users.send(PATH, body, { as: null })).toMatchObject({
      status: 200,
      body: { profile: { bio: 'Hello' } },
    });
  });

  it('keeps fields that are absent from the request', async () => {
    const { users } = await run();
    await users.send(PATH, full);
    const { body } = await users.send(PATH, { bio: 'Another' });
    expect(body).toEqual({ success: true, profile: { ...unset, ...full, discord_verified: true, bio: 'Another' } });
  });

  it.each([
    ['avatar_url', null, ''],
    ['avatar_url', '', ''],
    ['avatar_hue', null, null],
    ['linked_gamertag', null, ''],
    ['linked_gamertag', '  ', ''],
    ['bio', null, ''],
    ['bio', '', ''],
    ['social_links', null, []],
    ['social_links', [], []],
    ['sync_avatar_from_discord', null, false],
  ] as const)('clears %s when it is %j', async (field, value, cleared) => {
    const { users } = await run();
    await users.send(PATH, full);
    const { status } = await users.send(PATH, { [field]: value });
    expect(status).toBe(200);
    expect(await profileOf(users)).toEqual({ ...unset, ...full, discord_verified: true, [field]: cleared });
  });

  it('normalises social links: lower-case platforms, no duplicates, no empty labels', async () => {
    const { users } = await run();
    const { body } = await users.send<{ profile: Profile }>(PATH, {
      discord_profile_url: DISCORD,
      social_links: [
        { platform: ' YouTube ', url: LINK.url },
        { ...LINK, label: 'Mine' },
        { platform: 'twitch', url: 'https://twitch.tv/ember', label: '' },
      ],
    });
    expect(body.profile.social_links).toEqual([
      LINK,
      { platform: 'twitch', url: 'https://twitch.tv/ember', label: null },
    ]);
  });

  it('stores a bio exactly as it was sent, markup included', async () => {
    const { users } = await run();
    const bio = '<script>alert(1)</script> $where __proto__ \u202e ´';
    await users.send(PATH, { bio });
    expect((await profileOf(users)).bio).toBe(bio);
  });

  it.each([
    ['bio', 1000],
    ['linked_gamertag', 15],
  ] as const)('limits %s by code points, not UTF-16 units: %i', async (field, most) => {
    const { users } = await run();
    const text = '🦊'.repeat(most);
    expect((await users.send(PATH, { [field]: text })).status).toBe(200);
    expect((await profileOf(users))[field]).toBe(text);
    expect((await users.send(PATH, { [field]: `${text}.` })).status).toBe(400);
  });

  it('finds the user by any spelling of the username', async () => {
    const { users } = await run();
    await users.observe({ username: 'EmberFox' });
    await users.send(PATH, { bio: 'One' }, { as: 'EMBERFOX' });
    const { body } = await users.get<UserProfile>(pathOf(operations.getUserProfile, 'emberfox'));
    expect(body).toMatchObject({ username: 'EmberFox', profile: { bio: 'One', console_verified: true } });
  });

  it('publishes each change, and the new user when the feed has never shown them', async () => {
    const { users } = await run();
    await users.send(PATH, { bio: 'One' }, { as: 'New  One' });
    await users.send(PATH, { bio: 'Two' }, { as: 'new one' });
    await eventually(() => {
      const updates = users.published(profileUpdated);
      expect(updates.map(({ data }) => data)).toEqual([{ username: 'New One' }, { username: 'New One' }]);
      expect(new Set(updates.map(({ id }) => id)).size).toBe(2);
    });
    expect(users.published(userStored).map(({ data }) => data.users)).toEqual([
      [{ username: 'New One', gamertag: '' }],
    ]);
  });

  it('writes and publishes nothing when nothing changes', async () => {
    const { users } = await run();
    await users.send(PATH, full);
    expect(await users.send(PATH, {})).toMatchObject({ status: 200 });
    expect(await users.send(PATH, full)).toMatchObject({ status: 200 });
    await users.send(PATH, { bio: 'Last' }, { as: 'Marlow' });
    await eventually(() => {
      expect(users.published(profileUpdated).map(({ data }) => data.username)).toEqual(['EmberFox', 'Marlow']);
    });
  });
});

describe('rejected profile update', () => {
  const long = (length: number) => 'x'.repeat(length);
  it.each([
    ['an unknown field', { username: 'Other' }, /^username is not known$/],
    ['a field of others', { console_verified: true }, /^console_verified is not known$/],
    ['a prototype', '{"__proto__":{"bio":"x"}}', /^__proto__ is not known$/],
    ['a list', [], /^The body must be an object$/],
    ['no JSON', '{', /JSON/],
    ['an operator', { bio: { $gt: '' } }, /^bio must be/],
    ['a plain avatar', { avatar_url: 'http://example.com/a.png' }, /^avatar_url must be an https URL/],
    ['a script as avatar', { avatar_url: 'javascript:alert(1)' }, /^avatar_url must be an https URL/],
    ['an avatar with a user', { avatar_url: 'https://a:b@example.com/' }, /^avatar_url must be an https URL/],
    ['a long avatar', { avatar_url: `https://example.com/${long(2048)}` }, /^avatar_url must be an https URL/],
    ['a hue out of bounds', { avatar_hue: 360 }, /^avatar_hue must be an integer from 0 to 359/],
    ['a hue as text', { avatar_hue: '12' }, /^avatar_hue must be an integer/],
    ['a bio with a control character', { bio: 'a\0b' }, /^bio must have no control characters/],
    ['a bio whose marks cover its lines', { bio: `a${'\u0301'.repeat(9)}` }, /^bio must have .* combining marks/],
    ['a bio with invisible characters between its marks', { bio: `a${'\u0301\u200d'.repeat(9)}` }, /combining marks/],
    ['a long bio', { bio: long(1001) }, /^bio must be a text of at most 1000/],
    ['a long gamertag', { linked_gamertag: long(16) }, /^linked_gamertag must be a text of at most 15/],
    [
      'another site',
      { discord_profile_url: 'https://discord.com.example/users/123456789012345678' },
      /^discord_profile_url must be/,
    ],
    ['a short number', { discord_profile_url: 'https://discord.com/users/1234' }, /^discord_profile_url must be/],
    ['more after the number', { discord_profile_url: `${DISCORD}/../@me` }, /^discord_profile_url must be/],
    [
      'a sync that is no boolean',
      { sync_avatar_from_discord: 'true' },
      /^sync_avatar_from_discord must be true or false/,
    ],
    [
      'eleven links',
      { social_links: Array.from({ length: 11 }, () => LINK) },
      /^social_links must be a list of at most 10/,
    ],
    [
      'a script as link',
      { social_links: [{ platform: 'x', url: 'javascript:alert(1)' }] },
      /^social_links\[0\].url must be an https URL/,
    ],
    [
      'a link of a known platform that leads elsewhere',
      { social_links: [LINK, { platform: ' Twitch', url: 'https://example.com/ember' }] },
      /^social_links\[1\].url must lead to twitch.tv for the platform twitch$/,
    ],
    ['a link with more', { social_links: [{ ...LINK, icon: 'x' }] }, /icon is not known/],
  ])('rejects %s and applies nothing of the request', async (_what, body, message) => {
    const { users, discord } = await run();
    await users.send(PATH, full);
    const before = await profileOf(users);
    const requestBody = typeof body === 'string' || Array.isArray(body) ? body : { bio: 'Changed', ...body };
    const answer = await users.send(PATH, requestBody);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(message) } });
    expect(await profileOf(users)).toEqual(before);
    expect(discord.requests).toHaveLength(1);
  });

  it('answers 400 without a session key and 401 for an invalid one before it validates the body', async () => {
    const { users } = await run();
    const faulty = { avatar_hue: -1 };
    expect(await users.send(PATH, faulty, { as: null })).toMatchObject({
      status: 400,
      body: { error: 'sessionKey is required' },
    });
    expect(await users.send(PATH, { ...faulty, sessionKey: 'nobody' }, { as: null })).toMatchObject({
      status: 401,
      body: { error: 'Invalid session' },
    });
    expect(await users.send(PATH, { ...faulty, sessionKey: { $gt: '' } }, { as: null })).toMatchObject({ status: 400 });
  });

  it.each([
    ['no Discord', {}, {}],
    ['a Discord that is cleared with it', full, { discord_profile_url: null }],
  ])('rejects social links without a verified Discord ID: %s', async (_what, before, beside) => {
    const { users } = await run();
    await users.send(PATH, before);
    const answer = await users.send(PATH, { social_links: [LINK], bio: 'Changed', ...beside });
    expect(answer).toMatchObject({
      status: 403,
      body: { error: 'social_links need a Discord profile that is verified' },
    });
    expect(await users.get(pathOf(operations.getUserProfile, 'EmberFox'))).not.toMatchObject({
      body: { profile: { bio: 'Changed' } },
    });
  });

  it('rejects a Discord ID of another profile without a look-up', async () => {
    const { users, discord } = await run();
    await users.send(PATH, { discord_profile_url: DISCORD }, { as: 'Marlow' });
    const answer = await users.send(PATH, { discord_profile_url: DISCORD, bio: 'Changed' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'discord_profile_url belongs to another profile' } });
    expect(discord.requests).toHaveLength(1);
    await users.send(PATH, { discord_profile_url: null }, { as: 'Marlow' });
    expect(await users.send(PATH, { discord_profile_url: DISCORD })).toMatchObject({ status: 200 });
  });
});

describe('session keys', () => {
  it('are never logged', async () => {
    const users = await runUserApi();
    const { status } = await users.send(PATH, { bio: 'One', sessionKey: 'key-of-EmberFox' }, { as: null });
    await users.send(PATH, { bio: 'Two' });
    await users.send(`${PATH}?sessionKey=key-of-EmberFox`, { bio: 'Three' });
    await users.send(PATH, '{"sessionKey":"key-of-EmberFox","bio":', { as: null });
    expect(status).toBe(200);
    expect(users.logged.length).toBeGreaterThan(0);
    expect(users.logged.join('')).not.toContain('key-of-');
  });
});
