import { allOperations, operations, sampleRequest, streamEvents } from '@lobbystats/contracts';
import { links } from '@lobbystats/site/links';
import { eventually } from '@lobbystats/test-kit';
import type { TestRequestOptions, TestResponse } from '@lobbystats/test-kit/send-request';
import { readStream } from '@lobbystats/test-kit/stream-reading';
import { filesIn, HIDDEN, openTrap, sampleValues, startAbusedSystem, type AbusedSystem } from './abused-system.ts';
import { pathTo, type Reputation, type SignedInUser } from './sign-in.ts';

// Abuse whose harm only a whole system can show: in its stores, its logs, or in what another service returns. What one service refuses is
// tested at that service: malformed, oversized, deep and ambiguous requests, and headers outside the cache key, at the gateway.

const { addChannel, getProfile, getReputation, getUserAchievements, listGames, rateProfile, updateProfile } =
  operations;

let system: AbusedSystem;
let fox: SignedInUser;
let marlow: SignedInUser;
let owl: SignedInUser;

beforeAll(async () => {
  system = await startAbusedSystem();
  [fox, marlow, owl] = system.users;
});

const request = (path: string, options?: TestRequestOptions): Promise<TestResponse> => system.request(path, options);
const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): TestRequestOptions => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const readProfile = async (username: string): Promise<string> =>
  (await request(pathTo(getProfile.path, username))).text;
const readReputation = async (username: string): Promise<string> =>
  (await request(`${pathTo(getReputation.path, username)}?feedbackLimit=30`)).text;

describe('query operators', () => {
  const values: readonly unknown[] = [
    { $gt: '' },
    { $ne: null },
    { $where: 'sleep(9000)' },
    ['a'],
    [[]],
    [{ $gt: '' }],
  ];

  it('in bodies are 400, and change no rating and no profile', async () => {
    const rate = pathTo(rateProfile.path, marlow.username);
    const read = async () => [await readReputation(marlow.username), await readProfile(fox.username)];
    const before = await read();
    const { sessionKey } = fox;
    const bodies = values.flatMap((value) => [
      [rate, { sessionKey, stars: value }],
      [rate, { sessionKey, stars: 5, comment: value }],
      [rate, { sessionKey: value, stars: 5 }],
      [updateProfile.path, { sessionKey, bio: value }],
      [updateProfile.path, { sessionKey: value, bio: 'x' }],
      [updateProfile.path, { sessionKey, linked_gamertag: value }],
      [addChannel.path, { sessionKey, kind: 'feed', name: value }],
    ]) as [string, object][];
    for (const [path, body] of bodies)
      expect([path, body, (await request(path, post(body))).status]).toEqual([path, body, 400]);
    expect(await read()).toEqual(before);
  });

  it('in the query of a read find no session', async () => {
    for (const query of ['sessionKey[$gt]=', 'sessionKey=a&sessionKey=b', 'sessionKey=%7B%22%24gt%22%3A%22%22%7D'])
      expect(await request(`${pathTo(getReputation.path, marlow.username)}?${query}`)).toMatchObject({
        status: 200,
        body: { viewer: null },
      });
  });
});

it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])(
  '%s as a field, a name and a parameter pollutes no object of any service',
  async (name) => {
    const reads = () => Promise.all([readProfile(marlow.username), readReputation(marlow.username)]);
    const before = await reads();
    const polluting = `{"${name}":{"polluted":1,"status":200},`;
    const searched = `${polluting}"players":[{"playerName":"${name}","rank":1,"${name}":{"polluted":1}}]}`;
    expect(await request(operations.searchByRanks.path, post(searched))).toMatchObject({ status: 200 });
    const written = `${polluting}"stars":5,"sessionKey":${JSON.stringify(fox.sessionKey)}}`;
    for (const path of [updateProfile.path, pathTo(rateProfile.path, marlow.username)])
      expect(await request(path, post(written))).toMatchObject({ status: 400 });
    expect(await request(operations.getGame.path.replace(':titleId', name))).toMatchObject({ status: 404 });
    // A game may have such a name, and is found by it.
    const game = await request(String(operations.getGame.gamePath).replace(':game', name));
    expect(game.status === 404 || (game.body as { name: string }).name === name).toBe(true);
    expect(await request(operations.searchOnePlayer.path.replace(':player', name))).toMatchObject({ status: 200 });
    expect(await request(`${listGames.path}?${name}[polluted]=1&${name}=1`)).toMatchObject({ status: 200 });
    expect(await reads()).toEqual(before);
    // All services run in this process.
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  },
);

describe('fields that no client may set', () => {
  it.each([
    { username: 'somebody-else' },
    { console_verified: true },
    { discord_verified: true },
    { viewer: { stars: 5 } },
    { score: 1_000_000 },
    { playTime: { totalMinutes: 1_000_000 } },
    { is_admin: true },
    { barred: false },
    { _id: 'x' },
    { newUnlocks: [{ id: 1 }] },
    { profile: { bio: 'x' } },
  ])('%j is refused, alone and beside a valid one, and nothing changes', async (field) => {
    const read = async () => [await readProfile(fox.username), await readReputation(marlow.username)];
    const before = await read();
    for (const more of [{}, { bio: 'changed' }])
      expect(await fox.update({ ...more, ...field })).toMatchObject({ status: 400 });
    expect(await fox.rate(marlow.username, { stars: 1, ...field })).toMatchObject({ status: 400 });
    expect(await read()).toEqual(before);
  });
});

it('users can not rate themselves under any spelling of their name', async () => {
  const { username } = fox;
  const before = await readReputation(username);
  const lookAlikes: Readonly<Record<string, string>> = { a: 'а', e: 'е', o: 'о' };
  const spellings = [
    ...[username, username.toUpperCase(), username.toLowerCase(), ` ${username} `, `${username}  `, `\t${username}`],
    username.replaceAll(' ', '   '),
    username.replace(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)),
    username.replace(/[aeo]/i, (sign) => lookAlikes[sign.toLowerCase()] ?? sign),
    username.replace(/[a-z]/i, '$&\u0301'),
    ...[`${username}\u200b`, `${username}\ufeff`, `\u202e${username}`],
  ];
  for (const spelling of spellings) {
    const { status } = await fox.rate(spelling, { stars: 5 });
    expect([spelling, status]).toEqual([spelling, 400]);
  }
  expect(await readReputation(username)).toBe(before);
});

it('nobody sees the rating of another, however reads with and without sessions are mixed', async () => {
  expect(await fox.rate(marlow.username, { stars: 2, comment: 'mine alone' })).toMatchObject({ status: 200 });
  const path = pathTo(getReputation.path, marlow.username);
  for (let round = 0; round < 30; round += 1) {
    const [own, inQuery, foreign, anonymous] = await Promise.all([
      request(path, { headers: { 'X-Session-Key': fox.sessionKey } }),
      request(`${path}?sessionKey=${encodeURIComponent(fox.sessionKey)}`),
      request(path, { headers: { 'X-Session-Key': owl.sessionKey } }),
      request(path),
    ]);
    for (const { body } of [own, inQuery]) expect((body as Reputation).viewer).toMatchObject({ stars: 2 });
    for (const { body } of [foreign, anonymous]) expect((body as Reputation).viewer).toBeNull();
    for (const { headers } of [own, inQuery, foreign]) expect(headers['cache-control']).toBe('private, no-store');
    expect(anonymous.headers).toMatchObject({
      'cache-control': expect.stringMatching(/^public/),
      vary: expect.stringContaining('X-Session-Key'),
    });
  }
});

it('no URL of a user makes the system connect to a private address', async () => {
  const trap = await openTrap();
  const hosts = ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]'];
  for (const address of hosts.map((host) => `${host}:${trap.port}`)) {
    for (const fields of [
      { avatar_url: `https://${address}/a.png` },
      { avatar_url: `http://${address}/a.png` },
      { avatar_url: `https://user@${address}/%2e%2e/` },
      { social_links: [{ platform: 'site', url: `https://${address}/`, label: null }] },
    ]) {
      expect([200, 400, 403]).toContain((await owl.update(fields)).status);
      await request(pathTo(getProfile.path, owl.username));
      await request(links.player(owl.username));
    }
    for (const discord of [
      `https://${address}/users/12345678901234567`,
      `https://discord.com@${address}/users/12345678901234567`,
      `https://discord.com/users/12345678901234567@${address}`,
      `https://discord.com/users/../../${address}`,
    ])
      expect(await owl.update({ discord_profile_url: discord })).toMatchObject({ status: 400 });
    const webhook = { kind: 'webhook', name: 'a', url: `https://${address}/`, sessionKey: owl.sessionKey };
    expect(await request(addChannel.path, post(webhook))).toMatchObject({ status: 400 });
  }
  expect(trap.connections()).toBe(0);
});

describe('a hidden achievement', () => {
  it('is shown by its unlocker alone: by no other route, page or event', async () => {
    const stream = await readStream(`${system.url}${streamEvents.path}?topics=unlocks`);
    for (const rater of [fox, owl])
      expect(await rater.rate(marlow.username, { stars: 4 })).toMatchObject({ status: 200 });
    const ownPath = pathTo(getUserAchievements.path, owl.username);
    const shown = async () => expect((await request(ownPath)).text).toContain(HIDDEN.name);
    await eventually(shown);
    await eventually(() => expect(stream.events.length).toBeGreaterThan(0));

    const values = await sampleValues(system, marlow.username);
    const paths = allOperations
      .filter(({ audience, method, session }) => audience === 'public' && method === 'GET' && session !== 'required')
      .map((operation) => sampleRequest(operation, values).target);
    const lists = [operations.getAchievementLeaderboard, operations.listRecentUnlocks].flatMap(({ path }) => [
      `${path}?limit=100`,
      `${path}?limit=100&format=csv`,
    ]);
    const pages = [
      links.home,
      links.live(),
      links.games(),
      links.achievements(),
      links.player(marlow.username),
      '/api/openapi.json',
    ];
    const texts = new Map([['stream', JSON.stringify(stream.events)]]);
    for (const path of new Set([...paths, ...lists, ...pages])) texts.set(path, (await request(path)).text);
    const telling = [...texts].filter(([, text]) => Object.values(HIDDEN).some((secret) => text.includes(secret)));
    expect(telling.map(([path]) => path)).toEqual([]);
    expect(texts.size).toBeGreaterThan(40);
  });
});

// Last: it stops the system.
it('session keys and passwords get into no log line, metric, response, URL or store, wherever they are sent', async () => {
  const { sessionKey } = fox;
  const rate = pathTo(rateProfile.path, marlow.username);
  const read = pathTo(getReputation.path, marlow.username);
  const inHeader = { 'X-Session-Key': sessionKey };
  const inQuery = `sessionKey=${encodeURIComponent(sessionKey)}`;
  const responses = [
    await request(rate, post({ stars: 4 }, inHeader)),
    await request(rate, post({ sessionKey, stars: 4, comment: 'fast' })),
    await request(updateProfile.path, post({ sessionKey, bio: 'Up before the birds.' })),
    await request(`${updateProfile.path}?${inQuery}`, post({ bio: 'x' })),
    await request(rate, post(`{"sessionKey":${JSON.stringify(sessionKey)},`, inHeader)),
    await request(rate, post({ sessionKey, stars: 99, [sessionKey]: 1 })),
    await request(pathTo(rateProfile.path, fox.username), post({ sessionKey, stars: 5 })),
    await request(`${read}?${inQuery}`),
    await request(`${read}?feedbackLimit=x&${inQuery}`, { headers: inHeader }),
    await request(`${listGames.path}?${inQuery}`, { headers: { ...inHeader, Referer: `${system.url}/?${inQuery}` } }),
    await request(`/nothing?${inQuery}`, { headers: inHeader, method: 'DELETE' }),
    await request(`${listGames.path}?${inQuery}`, { method: 'PUT', headers: inHeader }),
    await request(`${links.player(marlow.username)}?${inQuery}`, { headers: inHeader }),
  ];
  expect(new Set(responses.map(({ headers }) => headers['referrer-policy']))).toEqual(new Set(['no-referrer']));
  const texts: Record<string, string> = {
    responses: JSON.stringify(responses),
    metrics: await (await fetch(system.metricsUrl)).text(),
    'requests to the network': await (await fetch(`${system.networkUrl}/simulator/requests`)).text(),
  };
  const running = filesIn(system.directory);
  await system.stop();
  const files = [...running, ...filesIn(system.directory)];
  texts['log'] = system.log.join('\n');
  expect(files.some(([, bytes]) => bytes.includes(fox.username))).toBe(true);
  expect(texts['log']).toContain('"operation"');
  const secrets = [
    ...[fox, marlow, owl].map((user) => user.sessionKey),
    ...system.simulator.accounts.map(({ password }) => password),
  ];
  for (const secret of secrets) {
    for (const form of [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('hex'),
    ]) {
      expect(Object.keys(texts).filter((name) => texts[name]?.includes(form))).toEqual([]);
      expect(files.filter(([, bytes]) => bytes.includes(form)).map(([name]) => name)).toEqual([]);
    }
  }
});
