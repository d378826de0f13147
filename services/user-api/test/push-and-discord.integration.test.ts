import { changeRecorded, formatInstant, operations } from '@lobbystats/contracts';
import { eventually, pushSubscription, readVapid, startHttpReceiver, type ReceivedRequest } from '@lobbystats/test-kit';
import { confirm } from './channel-receiver.ts';
import { runDeliveries } from './running-deliveries.ts';
import { change, TITLE } from './running-notifications.ts';
import { NOW } from './running-user-api.ts';

const DISCORD = 'https://discord.com/api/webhooks/100000000000000001/a-token-of-a-webhook';

describe('a Discord webhook', () => {
  it('gets an embed with a picture, whose names are no markup and mention nobody', async () => {
    const discord = await startHttpReceiver();
    const { add, slot } = await runDeliveries({ discordUrl: discord.url });
    await add({ kind: 'discord', name: 'server', url: DISCORD });
    await slot(1, { '**@everyone**': 1 });
    await eventually(() => {
      expect(discord.requests).toHaveLength(1);
    });
    const [request] = discord.requests as [ReceivedRequest];
    expect(request.path).toBe('/webhooks/100000000000000001/a-token-of-a-webhook');
    expect(JSON.parse(request.body.toString())).toEqual({
      embeds: [
        {
          title: 'Lobby in Harbor Racing',
          description: String.raw`\*\*\@everyone\*\* has a lobby with 1 of 8 players`,
          url: `http://127.0.0.1:8080/game/${TITLE}`,
          timestamp: formatInstant(NOW + 300),
          image: { url: `http://127.0.0.1:8080/og/game/${TITLE}.png` },
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });
});

describe('an embed for Discord', () => {
  it.each([
    ['__Pier__', String.raw`\_\_Pier\_\_ \(Harbor Racing\)`],
    ['_'.repeat(500), `${String.raw`\_`.repeat(122)}…`],
    ['\\'.repeat(500), `${String.raw`\\`.repeat(122)}…`],
    [`a${'*'.repeat(500)}`, `a${String.raw`\*`.repeat(122)}…`],
  ])('shows names such as %s as they are, and fits in what Discord takes', async (leaderboardName, shown) => {
    const discord = await startHttpReceiver();
    const { add, follow, publish } = await runDeliveries({ discordUrl: discord.url });
    await add({ kind: 'discord', name: 'server', url: DISCORD });
    await follow('leaderboard', `${TITLE}:17`);
    await publish(changeRecorded, {
      changes: [change({ leaderboardName, playerName: '*'.repeat(5000) })],
      records: [1],
    });
    await eventually(() => {
      expect(discord.requests).toHaveLength(1);
    });
    const [{ body }] = discord.requests as [ReceivedRequest];
    const [embed] = (JSON.parse(body.toString()) as { embeds: { title: string; description: string }[] }).embeds;
    expect(embed?.title).toBe(`Record on ${shown}`);
    expect(embed?.title.length).toBeLessThanOrEqual(256);
    expect(embed?.description.length).toBeLessThanOrEqual(4096);
  });
});

describe('Web Push', () => {
  it('gets an encrypted message, signed by the site, with a topic that a repetition has, too', async () => {
    const service = await startHttpReceiver();
    const browser = pushSubscription(`${service.url}/push/1`);
    const { add, channel, slot, notification, pushKey, users, later } = await runDeliveries();
    await add({ kind: 'webpush', name: 'phone', subscription: browser.subscription });
    service.answer = (_, res) => void res.writeHead(500).end();
    await slot(1, { Marlow: 1 });
    await eventually(() => {
      expect(service.requests).toHaveLength(1);
    });
    await eventually(async () => {
      expect(await channel('phone')).toMatchObject({ problem: 'HTTP 500' });
    });
    service.answer = (_, res) => void res.writeHead(201).end();
    later(20);
    await eventually(() => {
      expect(service.requests).toHaveLength(2);
    });
    const { id, title, text, url } = (await notification()) ?? {};
    const at = formatInstant(NOW + 300);
    const [first, second] = service.requests as [ReceivedRequest, ReceivedRequest];
    for (const { body } of service.requests) expect(browser.decrypt(body)).toMatchObject({ id, title, url, at });
    expect(browser.decrypt(service.requests[0]?.body ?? Buffer.alloc(0))).toMatchObject({ text });
    expect(first.body.equals(second.body)).toBe(false);
    expect(first.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      // Who has a lobby is news for half an hour.
      ttl: expect.stringMatching(/^1[78]\d\d$/) as unknown,
      topic: id?.replaceAll('-', ''),
    });
    expect(second.headers['topic']).toBe(first.headers['topic']);
    const { key, claims } = readVapid(first.headers.authorization ?? '');
    expect(key).toBe(await pushKey());
    expect(claims).toMatchObject({ aud: service.url, sub: 'https://127.0.0.1:8080' });
    expect(claims.exp).toBeGreaterThan(Date.now() / 1000);
    expect(users.clock.nowMs / 1000).toBeGreaterThan(NOW);
  });

  it('fits in what push services take, however long names are', async () => {
    const service = await startHttpReceiver();
    const browser = pushSubscription(`${service.url}/push/1`);
    const { add, follow, publish } = await runDeliveries();
    await add({ kind: 'webpush', name: 'phone', subscription: browser.subscription });
    await follow('leaderboard', `${TITLE}:17`);
    const long = '\u6F22'.repeat(2000);
    const names = { leaderboardName: long, gameName: long, playerName: long };
    await publish(changeRecorded, { changes: [change(names)], records: [1] });
    await eventually(() => {
      expect(service.requests).toHaveLength(1);
    });
    const [{ body }] = service.requests as [ReceivedRequest];
    expect(body.length).toBeLessThanOrEqual(4096);
    expect(browser.decrypt(body)).toMatchObject({ title: expect.stringMatching(/^Record on .+…$/) as unknown });
  });
});

describe('a channel of Discord or Web Push', () => {
  it.each(['discord', 'webpush'].flatMap((kind) => [401, 403, 404, 410].map((status) => [kind, status] as const)))(
    'of the kind %s is switched off by the status %s, which another channel tells',
    async (kind, status) => {
      const [receiver, hook] = [await startHttpReceiver(), await startHttpReceiver()];
      hook.answer = confirm;
      const { add, confirmed, test, channel } = await runDeliveries({ discordUrl: receiver.url });
      await confirmed('hook', hook.url);
      const address =
        kind === 'discord' ? { url: DISCORD } : { subscription: pushSubscription(receiver.url).subscription };
      await add({ kind, name: 'refused', ...address });
      receiver.answer = (_, res) => void res.writeHead(status).end();
      await test('refused');
      await eventually(async () => {
        expect(await channel('refused')).toMatchObject({ state: 'off', problem: `HTTP ${status}` });
      });
      await eventually(() => {
        const notices = hook.requests.map(({ body }) => JSON.parse(body.toString()) as ChannelNotice);
        expect(notices.map(({ type, data: { title } }) => [type, title])).toEqual([
          ['challenge', undefined],
          ['channel', 'A channel was added'],
          ['channel', 'A channel was switched off'],
        ]);
        expect(notices[2]?.data.text).toContain(`called refused: HTTP ${status}.`);
      });
      expect(receiver.requests).toHaveLength(1);
    },
  );
});

describe('a receiver that asks to wait', () => {
  const addAs = (running: Awaited<ReturnType<typeof runDeliveries>>, as: string, name = 'server') =>
    running.users.send(operations.addChannel.path, { kind: 'discord', name, url: DISCORD }, { as });
  const testAs = (running: Awaited<ReturnType<typeof runDeliveries>>, as: string, name = 'server') =>
    running.users.send(operations.testChannel.path.replace(':channel', name), {}, { as });

  it('is sent nothing meanwhile: of no account, nor of a channel that is added again', async () => {
    const [discord, other] = [await startHttpReceiver(), await startHttpReceiver()];
    other.answer = confirm;
    const running = await runDeliveries({ discordUrl: discord.url });
    await running.confirmed('other', other.url);
    for (const as of ['EmberFox', 'Marlow']) await addAs(running, as);
    discord.answer = (_, res) => void res.writeHead(429, { 'Retry-After': '300', 'X-RateLimit-Global': 'true' }).end();
    await testAs(running, 'EmberFox');
    await eventually(async () => {
      expect(await running.channel('server')).toMatchObject({ problem: 'HTTP 429' });
    });
    discord.answer = (_, res) => void res.writeHead(204).end();
    await addAs(running, 'EmberFox');
    for (const as of ['EmberFox', 'Marlow']) await testAs(running, as);
    running.later(299);
    const before = other.requests.length;
    await running.test('other');
    await eventually(() => {
      expect(other.requests).toHaveLength(before + 1);
    });
    expect(discord.requests).toHaveLength(1);
    running.later(2);
    await eventually(() => {
      expect(discord.requests).toHaveLength(3);
    });
  });

  it('is sent messages of others if it asks for one address alone', async () => {
    const discord = await startHttpReceiver();
    const running = await runDeliveries({ discordUrl: discord.url });
    await addAs(running, 'EmberFox');
    const url = DISCORD.replace('a-token', 'another-token');
    await running.users.send(operations.addChannel.path, { kind: 'discord', name: 'server', url }, { as: 'Marlow' });
    discord.answer = ({ path }, res) =>
      void (
        path.includes('another')
          ? res.writeHead(204)
          : res.writeHead(429, { 'Retry-After': '300', 'X-RateLimit-Scope': 'user' })
      ).end();
    await testAs(running, 'EmberFox');
    await eventually(async () => {
      expect(await running.channel('server')).toMatchObject({ problem: 'HTTP 429' });
    });
    await testAs(running, 'Marlow');
    await eventually(() => {
      expect(discord.requests).toHaveLength(2);
    });
  });
});

interface ChannelNotice {
  readonly type: string;
  readonly data: { readonly title?: string; readonly text?: string };
}
