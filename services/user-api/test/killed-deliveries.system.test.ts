import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { operations, type OperationResponse } from '@lobbystats/contracts';
import { cleanUp, eventually, getJson, startHttpReceiver, temporaryDirectory } from '@lobbystats/test-kit';
import { confirm } from './channel-receiver.ts';
import { ERASURE_KEY } from './running-user-api.ts';

const { addChannel, listChannels, listDeliveries, testChannel } = operations;
const USER = 'EmberFox-of-the-test';

/** Starts user-api in a process of its own. */
async function startProcess(directory: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/user-api-main.ts')], {
    env: {
      ...{ PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'error', ERASURE_KEY, NETWORK_ORIGIN: 'simulated' },
      DATABASE_URL: `sqlite:${join(directory, 'users.sqlite')}`,
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

it('a process that is killed in mid-delivery loses nothing, and repeats with the same ID what has no result alone', async () => {
  const directory = temporaryDirectory();
  const names = ['hanging-1', 'hanging-2', 'answered'];
  const receivers = await Promise.all(names.map(() => startHttpReceiver()));
  for (const receiver of receivers) receiver.answer = confirm;
  const first = await startProcess(directory);
  for (const [index, name] of names.entries()) {
    await send(first.url + addChannel.path, 'POST', { kind: 'webhook', name, url: receivers[index]?.url });
  }
  await eventually(async () => {
    const { channels } = await send<OperationResponse<typeof listChannels>>(first.url + listChannels.path);
    expect(channels.map(({ state }) => state)).toEqual(names.map(() => 'active'));
  });
  for (const receiver of receivers.slice(0, 2)) receiver.answer = () => undefined;
  for (const name of names) await send(first.url + pathOf(testChannel, name), 'POST');
  const deliveriesOf = async (url: string, name: string) =>
    (await send<OperationResponse<typeof listDeliveries>>(url + pathOf(listDeliveries, name))).deliveries.filter(
      ({ type }) => type === 'test',
    );
  await eventually(async () => {
    expect(receivers.map(({ requests }) => requests.length)).toEqual([2, 2, 2]);
    expect(await deliveriesOf(first.url, 'answered')).toMatchObject([{ state: 'delivered' }]);
  });
  const ended = once(first.child, 'exit');
  first.child.kill('SIGKILL');
  await ended;

  for (const receiver of receivers) receiver.answer = confirm;
  const second = await startProcess(directory);
  await eventually(
    async () => {
      for (const name of names) {
        expect(await deliveriesOf(second.url, name)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
      }
    },
    { timeoutMs: 45_000, everyMs: 200 },
  );
  // The challenge, the test message, and its repetition where it had no result.
  expect(receivers.map(({ requests }) => requests.length)).toEqual([3, 3, 2]);
  for (const { requests } of receivers.slice(0, 2)) {
    const [, sent, repeated] = requests.map(({ headers, body }) => [headers['webhook-id'], body.toString()]);
    expect(repeated?.[0]).toBe(sent?.[0]);
  }
}, 90_000);
