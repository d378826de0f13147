import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { operations, type OperationResponse } from '@lobbystats/contracts';
import {
  cleanUp,
  eventually,
  getJson,
  pushSubscription,
  startHttpReceiver,
  type HttpReceiver,
  type ReceivedRequest,
} from '@lobbystats/test-kit';
import { confirm } from './channel-receiver.ts';
import { ERASURE_KEY } from './running-user-api.ts';

const { addChannel, listChannels, listDeliveries, testChannel } = operations;
const USER = 'EmberFox-of-the-test';

/** Starts user-api in a process of its own. */
async function startProcess(databaseUrl: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/user-api-main.ts')], {
    env: {
      ...{ PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'error', ERASURE_KEY, NETWORK_ORIGIN: 'simulated' },
      DATABASE_URL: databaseUrl,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUp(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^ready (.+)$/.exec(line) ?? [];
    if (url !== undefined) return { url, child };
  }
  throw new Error('the service ended before it was ready');
}

const send = async <Body>(url: string, method = 'GET', body?: object) =>
  (
    await getJson<Body>(url, {
      method,
      headers: { 'X-Session-Key': USER, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  ).body;
const pathOf = ({ path }: { path: string }, name: string) => path.replace(':channel', name);

/** @param prepare returns the URL of an empty store */
export function describeKilledDeliveries(adapter: string, prepare: () => Promise<string>): void {
  it(`a process that is killed in mid-delivery loses nothing in ${adapter}, and repeats with the same ID what has no result alone`, async () => {
    const databaseUrl = await prepare();
    const names = ['hanging-1', 'hanging-2', 'answered'];
    const receivers = await Promise.all(names.map(() => startHttpReceiver()));
    for (const receiver of receivers) receiver.answer = confirm;
    const pushService = await startHttpReceiver();
    const push = pushSubscription(`${pushService.url}/push/1`);
    const first = await startProcess(databaseUrl);
    for (const [index, name] of names.entries()) {
      await send(first.url + addChannel.path, 'POST', { kind: 'webhook', name, url: receivers[index]?.url });
    }
    const { subscription } = push;
    await send(first.url + addChannel.path, 'POST', { kind: 'webpush', name: 'phone', subscription });
    const all = [...names, 'phone'];
    await eventually(async () => {
      const { channels } = await send<OperationResponse<typeof listChannels>>(first.url + listChannels.path);
      expect(channels.map(({ state }) => state)).toEqual(all.map(() => 'active'));
    });
    const allOf = async (url: string, name: string) =>
      (await send<OperationResponse<typeof listDeliveries>>(url + pathOf(listDeliveries, name))).deliveries;
    const deliveriesOf = async (url: string, name: string) =>
      (await allOf(url, name)).filter(({ type }) => type === 'test');
    // Each channel that is added is told to the others.
    await eventually(async () => {
      for (const name of all) expect((await allOf(first.url, name)).map(({ state }) => state)).not.toContain('waiting');
    });
    const sentTo = ({ requests }: HttpReceiver) =>
      requests.filter(({ body }) => !body.toString().startsWith('{"type":"channel"'));
    for (const receiver of [...receivers.slice(0, 2), pushService]) receiver.answer = () => undefined;
    for (const name of all) await send(first.url + pathOf(testChannel, name), 'POST');
    await eventually(async () => {
      expect([...receivers, pushService].map((receiver) => sentTo(receiver).length)).toEqual([2, 2, 2, 1]);
      expect(await deliveriesOf(first.url, 'answered')).toMatchObject([{ state: 'delivered' }]);
    });
    const ended = once(first.child, 'exit');
    first.child.kill('SIGKILL');
    await ended;

    for (const receiver of receivers) receiver.answer = confirm;
    pushService.answer = (_, res) => void res.writeHead(201).end();
    const second = await startProcess(databaseUrl);
    await eventually(
      async () => {
        for (const name of all) {
          expect(await deliveriesOf(second.url, name)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
        }
      },
      { everyMs: 200 },
    );
    // The challenge, the test message, and its repetition where it had no result.
    expect([...receivers, pushService].map((receiver) => sentTo(receiver).length)).toEqual([3, 3, 2, 2]);
    for (const receiver of receivers.slice(0, 2)) {
      const [, sent, repeated] = sentTo(receiver).map(({ headers }) => headers['webhook-id']);
      expect(repeated).toBe(sent);
    }
    const [sent, repeated] = pushService.requests as [ReceivedRequest, ReceivedRequest];
    expect(push.decrypt(repeated.body)).toEqual(push.decrypt(sent.body));
    // A push that waits at its service is replaced.
    expect(repeated.headers['topic']).toBe(sent.headers['topic']);
  });
}
