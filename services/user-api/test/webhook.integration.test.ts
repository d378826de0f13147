import { createHmac } from 'node:crypto';
import {
  changeRecorded,
  operations,
  webhookHeaders,
  webhookMessages,
  type WebhookMessage,
} from '@lobbystats/contracts';
import { eventually, startHttpReceiver, type ReceivedRequest } from '@lobbystats/test-kit';
import { confirm } from './channel-receiver.ts';
import { runDeliveries } from './running-deliveries.ts';
import { change, TITLE } from './running-notifications.ts';

/** The body, which its contract describes. */
function bodyOf({ headers, body }: ReceivedRequest): WebhookMessage {
  webhookHeaders.parse(headers);
  const message = JSON.parse(body.toString()) as WebhookMessage;
  return webhookMessages[message.type].body.parse(message);
}

describe('a webhook', () => {
  it('gets nothing before it returned the challenge, then signed notifications', async () => {
    const receiver = await startHttpReceiver();
    const { add, channel, deliveries, slot, expectNotified, test, notification, later } = await runDeliveries();
    const { secret } = await add({ kind: 'webhook', name: 'hook', url: `${receiver.url}/path?a=b` });
    await eventually(async () => {
      expect(await channel('hook')).toMatchObject({
        state: 'unconfirmed',
        problem: 'HTTP 204, without the challenge',
      });
    });
    await slot(1, { Marlow: 1 });
    await expectNotified(['Marlow has a lobby with 1 of 8 players']);
    receiver.answer = confirm;
    later(60);
    await test('hook');
    await eventually(async () => {
      expect(await channel('hook')).toMatchObject({ state: 'active', problem: null });
    });
    expect(receiver.requests.map((request) => bodyOf(request).type)).toEqual(['challenge', 'challenge']);
    later(600);
    await slot(4, { 'Grey Owl': 2 });
    await eventually(() => {
      expect(receiver.requests).toHaveLength(3);
    });
    const [, , request] = receiver.requests as [ReceivedRequest, ReceivedRequest, ReceivedRequest];
    expect(request.path).toBe('/path?a=b');
    const { type, data } = bodyOf(request);
    expect([type, data]).toEqual(['notification', await notification()]);
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers;
    const key = Buffer.from((secret ?? '').slice('whsec_'.length), 'base64');
    const expected = createHmac('sha256', key)
      .update(`${String(id)}.${String(at)}.${request.body.toString()}`)
      .digest('base64');
    expect(signature).toBe(`v1,${expected}`);
    await eventually(async () => {
      expect((await deliveries('hook')).map((one) => [one.type, one.state, one.result])).toEqual([
        ['notification', 'delivered', 'HTTP 204'],
        ['challenge', 'delivered', 'HTTP 200'],
        ['challenge', 'refused', 'HTTP 204, without the challenge'],
      ]);
    });
    expect((await deliveries('hook'))[0]?.id).toBe(id);
  });

  it.each([
    ['a status of 503', 'HTTP 503', 0],
    ['a status of 401', 'HTTP 401', 0],
    ['a status of 403', 'HTTP 403', 0],
    ['a status of 404', 'HTTP 404', 0],
    ['a reset connection', 'The host can not be reached', 0],
    ['a 429 with Retry-After', 'HTTP 429', 120],
  ] as const)('repeats a message with the same ID after %s', async (_, problem, retryAfter) => {
    const receiver = await startHttpReceiver();
    receiver.answer = confirm;
    const { confirmed, channel, test, later, deliveries } = await runDeliveries();
    await confirmed('hook', receiver.url);
    receiver.answer = (__, res) => {
      const status = /^HTTP (\d+)$/.exec(problem)?.[1];
      if (status === undefined) res.destroy();
      else res.writeHead(Number(status), retryAfter > 0 ? { 'Retry-After': String(retryAfter) } : {}).end();
    };
    await test('hook');
    await eventually(async () => {
      expect(await channel('hook')).toMatchObject({
        state: 'active',
        problem,
        failingSince: expect.any(String) as unknown,
      });
    });
    receiver.answer = confirm;
    const wait = Math.max(retryAfter, 10);
    later(wait - 1);
    // The loop has looked after this request was handled.
    await test('hook');
    expect(receiver.requests).toHaveLength(2);
    later(1);
    await eventually(async () => {
      expect(await channel('hook')).toMatchObject({ problem: null, failingSince: null });
    });
    const ids = receiver.requests.slice(1, 3).map(({ headers }) => headers['webhook-id']);
    expect(ids[0]).toBe(ids[1]);
    expect((await deliveries('hook')).find(({ id }) => id === ids[0])).toMatchObject({
      attempts: 2,
      state: 'delivered',
    });
  });

  it('tells its owner of a fault of TLS', async () => {
    const receiver = await startHttpReceiver();
    const { add, channel } = await runDeliveries();
    await add({ kind: 'webhook', name: 'hook', url: receiver.url.replace('http:', 'https:') });
    await eventually(async () => {
      expect(await channel('hook')).toMatchObject({
        state: 'unconfirmed',
        problem: expect.stringMatching(/^TLS: /) as unknown,
      });
    });
  });

  it('gets no notification in quiet hours that failed before, or for which they were set later, but a test', async () => {
    const receiver = await startHttpReceiver();
    receiver.answer = confirm;
    const { confirmed, follow, publish, later, deliveries, users, test } = await runDeliveries();
    await confirmed('hook', receiver.url);
    receiver.answer = (_, res) => void res.writeHead(500).end();
    await follow('leaderboard', `${TITLE}:17`);
    later(300);
    await publish(changeRecorded, { changes: [change()], records: [1] });
    await eventually(async () => {
      expect((await deliveries('hook'))[0]).toMatchObject({ state: 'waiting', result: 'HTTP 500' });
    });
    const quietHours = { from: '08:06', to: '09:00', timeZone: 'UTC' };
    await users.send(operations.setQuietHours.path, { quietHours });
    receiver.answer = confirm;
    later(60);
    await eventually(async () => {
      expect((await deliveries('hook'))[0]).toMatchObject({
        state: 'waiting',
        attempts: 1,
        dueAt: '2027-01-15 09:00:00',
      });
    });
    await test('hook');
    const typesOf = () => receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as { type: string }).type);
    await eventually(() => {
      expect(typesOf()).toEqual(['challenge', 'notification', 'test']);
    });
    await eventually(async () => {
      expect(await deliveries('hook')).toContainEqual(expect.objectContaining({ type: 'test', state: 'delivered' }));
    });
    later(54 * 60);
    await eventually(() => {
      expect(typesOf()).toEqual(['challenge', 'notification', 'test', 'notification']);
    });
  });

  it('does not follow a redirect, and does not repeat what is refused', async () => {
    const [receiver, other] = [await startHttpReceiver(), await startHttpReceiver()];
    receiver.answer = confirm;
    const { confirmed, deliveries, test, later } = await runDeliveries();
    await confirmed('hook', receiver.url);
    receiver.answer = (_, res) => void res.writeHead(400).end();
    later(60);
    await test('hook');
    await eventually(async () => {
      expect((await deliveries('hook'))[0]).toMatchObject({ state: 'refused', result: 'HTTP 400', attempts: 1 });
    });
    receiver.answer = (_, res) => void res.writeHead(307, { Location: other.url }).end();
    later(60);
    await test('hook');
    await eventually(async () => {
      expect((await deliveries('hook'))[0]).toMatchObject({ state: 'waiting', result: 'HTTP 307' });
    });
    expect(other.requests).toEqual([]);
  });

  it('is switched off when it is gone or has failed for a day, and tried again after a test message', async () => {
    const receiver = await startHttpReceiver();
    receiver.answer = confirm;
    const { confirmed, channel, test, later } = await runDeliveries();
    await confirmed('hook', receiver.url);
    receiver.answer = (_, res) => void res.writeHead(500).end();
    later(60);
    await test('hook');
    await eventually(async () => {
      expect(await channel('hook')).toMatchObject({ state: 'active', problem: 'HTTP 500' });
    });
    later(86_400);
    await eventually(async () => {
      expect(await channel('hook')).toMatchObject({ state: 'off' });
    });
    receiver.answer = confirm;
    await test('hook');
    await eventually(async () => {
      expect(await channel('hook')).toMatchObject({ state: 'active', problem: null });
    });
    receiver.answer = (_, res) => void res.writeHead(410).end();
    later(60);
    await test('hook');
    await eventually(async () => {
      expect(await channel('hook')).toMatchObject({ state: 'off', problem: 'HTTP 410' });
    });
  });

  it('that hangs delays no other, and has one request at a time', async () => {
    const [hanging, other] = [await startHttpReceiver(), await startHttpReceiver()];
    hanging.answer = confirm;
    other.answer = confirm;
    const { confirmed, slot, test } = await runDeliveries();
    await confirmed('hanging', hanging.url);
    await confirmed('other', other.url);
    // The challenge, and that another channel was added.
    await eventually(() => {
      expect([hanging.requests.length, other.requests.length]).toEqual([2, 1]);
    });
    hanging.answer = () => undefined;
    await slot(1, { Marlow: 1 });
    await eventually(() => {
      expect([hanging.requests.length, other.requests.length]).toEqual([3, 2]);
    });
    await test('hanging');
    await test('other');
    await eventually(() => {
      expect(other.requests).toHaveLength(3);
    });
    expect([hanging.requests.length, hanging.most()]).toEqual([3, 1]);
  });

  it('that hangs, of many accounts, delays no message of another', async () => {
    const [hanging, other] = [await startHttpReceiver(), await startHttpReceiver()];
    for (const receiver of [hanging, other]) receiver.answer = confirm;
    const { confirmed, test, users } = await runDeliveries();
    const accounts = Array.from({ length: 26 }, (_, index) => `Flooder ${index}`);
    const names = ['1', '2', '3', '4', '5'];
    for (const as of accounts) {
      for (const name of names) {
        const hook = { kind: 'webhook', name, url: `${hanging.url}/${name}` };
        expect(await users.send(operations.addChannel.path, hook, { as })).toMatchObject({ status: 200 });
      }
    }
    await confirmed('honest', other.url);
    await eventually(() => {
      const challenges = hanging.requests.filter(({ body }) => body.toString().startsWith('{"type":"challenge"'));
      expect(challenges).toHaveLength(accounts.length * names.length);
    });
    hanging.answer = () => undefined;
    for (const as of accounts) {
      for (const name of names) {
        await users.send(operations.testChannel.path.replace(':channel', name), {}, { as });
      }
    }
    await test('honest');
    await eventually(() => {
      expect(other.requests).toHaveLength(2);
    });
    expect(hanging.most()).toBeLessThanOrEqual(64);
  });
});
