import { CHANNELS_MAX, feedPaths, feedToken, operations, type OperationResponse } from '@lobbystats/contracts';
import { tokenHash } from '@lobbystats/service-kit';
import { eventually, getJson, pushSubscription, startHttpReceiver, temporaryDirectory } from '@lobbystats/test-kit';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { confirm, localOutbound } from './channel-receiver.ts';
import { runUserApi, sessionKeyOf, type RunningUserApi } from './running-user-api.ts';

const { addChannel, listChannels, removeChannel, testChannel, listDeliveries, exportUser, eraseMe } = operations;
const { listFeedEvents, listFeedNotifications } = operations;
type Added = OperationResponse<typeof addChannel>;
type List = OperationResponse<typeof listChannels>;

const DISCORD = 'https://discord.com/api/webhooks/100000000000000001/a-token-of-a-webhook';
const FCM = 'https://fcm.googleapis.com/fcm/send/some-id';
const PUSH = { kind: 'webpush', name: 'phone', subscription: pushSubscription(FCM).subscription };

const ask = (users: RunningUserApi, path: string, method = 'GET', as = 'EmberFox') =>
  getJson(users.url + path, { method, headers: { 'X-Session-Key': sessionKeyOf(as) } });
const list = async (users: RunningUserApi, as?: string) =>
  (await ask(users, listChannels.path, 'GET', as)).body as List;
const pathOf = ({ path }: { path: string }, name: string) => path.replace(':channel', encodeURIComponent(name));

/** Messages to Discord, and pushes, end at a receiver of the test. */
async function runWithDiscord(env: Record<string, string> = {}) {
  const discord = await startHttpReceiver();
  const users = await runUserApi({ env: { DISCORD_API_URL: discord.url, ...env }, outbound: localOutbound() });
  return { discord, users, push: { ...PUSH, subscription: pushSubscription(`${discord.url}/push`).subscription } };
}

describe('channels', () => {
  it('are added, listed without what is secret, replaced by name, and removed', async () => {
    const { users, push } = await runWithDiscord();
    const added = await users.send(addChannel.path, { kind: 'discord', name: ' My server ', url: DISCORD });
    expect(added).toMatchObject({
      status: 200,
      body: { name: 'My server', kind: 'discord', state: 'active', problem: null, secret: null },
    });
    expect(await users.send(addChannel.path, push)).toMatchObject({ status: 200, body: { secret: null } });
    await users.send(addChannel.path, { ...push, name: 'My server' });
    const { channels, limit, pushKey } = await list(users);
    expect(channels.map(({ name, kind }) => [name, kind])).toEqual([
      ['My server', 'webpush'],
      ['phone', 'webpush'],
    ]);
    expect(limit).toBe(CHANNELS_MAX);
    expect(Buffer.from(pushKey, 'base64url')).toHaveLength(65);
    expect((await list(users)).pushKey).toBe(pushKey);
    expect((await list(users, 'Marlow')).channels).toEqual([]);
    for (const removed of [true, false]) {
      expect(await ask(users, pathOf(removeChannel, 'My server'), 'DELETE')).toMatchObject({ body: { removed } });
    }
    expect((await list(users)).channels).toHaveLength(1);
  });

  it.each([
    [{ kind: 'email', name: 'a' }, 'webpush'],
    [{ kind: 'discord', name: 'a', url: 'https://discord.com.example/api/webhooks/100000000000000001/abc' }, 'Discord'],
    [{ kind: 'discord', name: 'a', url: `${DISCORD}/../../../users` }, 'Discord'],
    [{ kind: 'discord', name: '', url: DISCORD }, 'name'],
    [{ kind: 'discord', name: 'a\u0000', url: DISCORD }, 'name'],
    [{ ...PUSH, subscription: { ...PUSH.subscription, endpoint: 'https://push.example/1' } }, 'push service'],
    [{ ...PUSH, subscription: { ...PUSH.subscription, endpoint: FCM.replace('https', 'http') } }, 'push service'],
    [{ ...PUSH, subscription: { ...PUSH.subscription, endpoint: FCM.replace('.com/', '.com@127.0.0.1/') } }, 'push'],
    [{ ...PUSH, subscription: { endpoint: FCM, keys: { p256dh: 'AAAA', auth: 'AAAA' } } }, 'key'],
  ])('refuses %j', async (body, field) => {
    const users = await runUserApi();
    const answer = await users.send<{ error: string }>(addChannel.path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(field);
    expect((await list(users)).channels).toEqual([]);
  });

  it.each([
    ...['http://hook.example/', 'https://hook.example:8443/', 'https://user:pass@hook.example/', 'https://127.0.0.1/'],
    ...['https://2130706433/', 'https://0x7f000001/', 'https://0177.0.0.1/', 'https://[::1]/', 'https://localhost/'],
    ...['https://[::ffff:10.0.0.1]/', 'https://8.8.8.8/', 'ftp://hook.example/', 'file:///etc/passwd', 'hook.example'],
    ...[
      'https://127.0.0.1./',
      'https://\uFF11\uFF12\uFF17.0.0.1/',
      'https://0/',
      'https://017700000001/',
      'https://[::127.0.0.1]/',
    ],
    ...[
      'https://169.254.169.254/latest',
      'https://127.1/',
      'https://[fd00::1]/',
      'https://[64:ff9b::7f00:1]/',
      'https:///a',
    ],
  ])('refuses a webhook at %s', async (url) => {
    const users = await runUserApi();
    const answer = await users.send<{ error: string }>(addChannel.path, { kind: 'webhook', name: 'a', url });
    expect(answer).toMatchObject({ status: 400 });
    expect((await list(users)).channels).toEqual([]);
  });

  it('takes a webhook at a host that the operators name, at its port alone', async () => {
    const receiver = await startHttpReceiver();
    receiver.answer = confirm;
    const users = await runUserApi({ env: { CHANNEL_HOSTS: `hook.lan:8080, ${new URL(receiver.url).host}` } });
    const add = (url: string) => users.send(addChannel.path, { kind: 'webhook', name: 'a', url });
    for (const url of [
      'http://127.0.0.1:1/',
      'http://hook.lan/',
      'ftp://hook.lan:8080/',
      'http://a:b@hook.lan:8080/',
    ]) {
      expect(await add(url)).toMatchObject({ status: 400 });
    }
    expect(await add(receiver.url)).toMatchObject({ status: 200 });
    await eventually(async () => {
      expect((await list(users)).channels).toMatchObject([{ state: 'active' }]);
    });
  });

  it('sends nothing to a host name with a private address', async () => {
    const users = await runUserApi();
    // The test's machine knows no other name, and the URL has two parts as a public one.
    const url = 'https://lobby.localhost/';
    expect(await users.send(addChannel.path, { kind: 'webhook', name: 'a', url })).toMatchObject({ status: 200 });
    await eventually(async () => {
      const [channel] = (await list(users)).channels;
      expect(channel).toMatchObject({ state: 'unconfirmed', problem: 'The host can not be reached' });
    });
  });

  it('are limited for each account, as are new webhooks', async () => {
    const { users, push } = await runWithDiscord();
    for (let index = 0; index < CHANNELS_MAX; index += 1) {
      expect(await users.send(addChannel.path, { ...push, name: String(index) })).toMatchObject({ status: 200 });
    }
    expect(await users.send(addChannel.path, { ...push, name: 'more' })).toMatchObject({ status: 400 });
    expect(await users.send(addChannel.path, { ...push, name: '0' })).toMatchObject({ status: 200 });
    const webhook = { kind: 'webhook', name: 'a', url: 'https://hook.localhost/' };
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1) {
      statuses.push((await users.send(addChannel.path, webhook, { as: 'Marlow' })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 400]);
  });

  it('ask receivers for few challenges, however they are asked for', async () => {
    const users = await runUserApi();
    await users.send(addChannel.path, { kind: 'webhook', name: 'a', url: 'https://hook.localhost/' });
    const statuses: number[] = [];
    for (let index = 0; index < 10; index += 1) {
      statuses.push((await ask(users, pathOf(testChannel, 'a'), 'POST')).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 200), 400]);
  });

  it('are in the export, and an erasure removes them for good', async () => {
    const { users } = await runWithDiscord();
    await users.send(addChannel.path, { kind: 'discord', name: 'server', url: DISCORD });
    await ask(users, pathOf(testChannel, 'server'), 'POST');
    const exported = await ask(users, exportUser.path);
    expect(exported.body).toMatchObject({ channels: [{ name: 'server', kind: 'discord' }] });
    const asked = (await ask(users, eraseMe.path, 'DELETE')).body as { confirmation: string };
    await ask(users, `${eraseMe.path}?confirmation=${asked.confirmation}`, 'DELETE');
    expect((await list(users)).channels).toEqual([]);
    expect(await users.send(addChannel.path, PUSH)).toMatchObject({ status: 403 });
  });

  it('leave neither URLs nor keys in the store, logs or answers', async () => {
    const file = join(temporaryDirectory(), 'users.sqlite');
    const { users, discord } = await runWithDiscord({ DATABASE_URL: `sqlite:${file}` });
    discord.answer = (_, res) => void res.writeHead(500).end('a-token-of-a-webhook');
    await users.send(addChannel.path, { kind: 'discord', name: 'server', url: DISCORD });
    await users.send(addChannel.path, PUSH);
    await ask(users, pathOf(testChannel, 'server'), 'POST');
    await eventually(() => {
      expect(discord.requests).not.toEqual([]);
    });
    const answers = await Promise.all(
      [listChannels.path, pathOf(listDeliveries, 'server')].map((path) => ask(users, path)),
    );
    const stored = [file, `${file}-wal`].map((path) => readFileSync(path).toString('latin1')).join('');
    for (const secret of ['a-token-of-a-webhook', FCM, PUSH.subscription.keys.auth]) {
      for (const text of [stored, users.logged.join(''), JSON.stringify(answers)]) expect(text).not.toContain(secret);
    }
  });

  it('make a feed, whose token is in no list, log or store, is renewed by name, and gets no messages', async () => {
    const file = join(temporaryDirectory(), 'users.sqlite');
    const { users } = await runWithDiscord({ DATABASE_URL: `sqlite:${file}` });
    const make = async () => {
      const { status, body } = await users.send<Added>(addChannel.path, { kind: 'feed', name: 'reader' });
      expect(status).toBe(200);
      const [feed, calendar] = [body.feedUrl, body.calendarUrl].map((url) => new URL(url ?? ''));
      expect([feed, calendar].map((url) => url?.pathname)).toEqual(Object.values(feedPaths));
      const tokens = [feed, calendar].map((url) => url?.searchParams.get('token') ?? '');
      expect(tokens).toEqual([expect.stringMatching(feedToken), tokens[0]]);
      return tokens[0] ?? '';
    };
    const [first, second] = [await make(), await make()];
    expect(second).not.toBe(first);
    const reads = async (token: string) => {
      const paths = [listFeedNotifications, listFeedEvents].map(({ path }) => path.replace(':feed', tokenHash(token)));
      return Promise.all(paths.map(async (path) => (await users.get(path)).status));
    };
    expect(await reads(first)).toEqual([404, 404]);
    expect(await reads(second)).toEqual([200, 200]);
    expect(await ask(users, pathOf(testChannel, 'reader'), 'POST')).toMatchObject({ status: 400 });
    const { channels } = await list(users);
    expect(channels).toMatchObject([{ name: 'reader', kind: 'feed', state: 'active', problem: null }]);
    const stored = [file, `${file}-wal`].map((path) => readFileSync(path).toString('latin1')).join('');
    const answers = await Promise.all([listChannels.path, exportUser.path].map((path) => ask(users, path)));
    for (const text of [stored, users.logged.join(''), JSON.stringify(answers)]) {
      for (const token of [first, second]) expect(text).not.toContain(token);
    }
    await ask(users, pathOf(removeChannel, 'reader'), 'DELETE');
    expect(await reads(second)).toEqual([404, 404]);
  });

  it.each([
    { kind: 'feed', name: 'a', url: 'https://hook.example/' },
    { kind: 'feed', name: 'a', subscription: PUSH.subscription },
  ])('refuse a feed with what belongs to others: %j', async (body) => {
    const users = await runUserApi();
    expect(await users.send(addChannel.path, body)).toMatchObject({ status: 400 });
  });

  it('end with an erasure, also feeds', async () => {
    const users = await runUserApi();
    const { body } = await users.send<Added>(addChannel.path, { kind: 'feed', name: 'reader' });
    const token = new URL(body.feedUrl ?? '').searchParams.get('token') ?? '';
    const path = listFeedNotifications.path.replace(':feed', tokenHash(token));
    expect(await users.get(path)).toMatchObject({ status: 200 });
    const asked = (await ask(users, eraseMe.path, 'DELETE')).body as { confirmation: string };
    await ask(users, `${eraseMe.path}?confirmation=${asked.confirmation}`, 'DELETE');
    expect(await users.get(path)).toMatchObject({ status: 404 });
  });

  it('has no channel of another user or name', async () => {
    const { users } = await runWithDiscord();
    await users.send(addChannel.path, PUSH);
    for (const [operation, method] of [
      [testChannel, 'POST'],
      [listDeliveries, 'GET'],
    ] as const) {
      expect(await ask(users, pathOf(operation, 'phone'), method, 'Marlow')).toMatchObject({ status: 404 });
      expect(await ask(users, pathOf(operation, 'other'), method)).toMatchObject({ status: 404 });
    }
  });
});
