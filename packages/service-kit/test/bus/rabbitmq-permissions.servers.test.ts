import { randomUUID } from 'node:crypto';
import { slotObserved, type ServiceName } from '@lobbystats/contracts';
import { StartupError } from '@lobbystats/contracts/errors';
import { openBus, openDeadLetterStore, provisionRabbitMq, type BusUser, type MessageBus } from '../../src/bus/index.ts';
import { testServers } from '@lobbystats/test-kit';
import { removeVhost } from '@lobbystats/test-kit/test-vhost';
import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';
import { runDlq } from '../../src/bus/dlq-command.ts';
import { ManagementApi } from '../../src/bus/rabbitmq/management-api.ts';
import { eventually } from './recorder.ts';
import { ORIGIN, pageConsumer, publishFact, publishPage } from './samples.ts';

const services: readonly ServiceName[] = ['collector', 'series-api', 'catalog-api', 'gateway'];
const data = { slot: '2026-01-31T18:05:00Z', registered: null, online: 0, titles: [] };

describe('a provisioned RabbitMQ', () => {
  const { url: serverUrl, managementUrl } = testServers().rabbitmq;
  const api = new ManagementApi({ url: managementUrl });
  const vhost = `rights-${randomUUID()}`;
  const userPrefix = `${vhost}-`;
  const buses: MessageBus[] = [];
  const models: ChannelModel[] = [];
  let lines: string[] = [];

  const urlOf = (user: BusUser, password = `of-${user}`): string => {
    const url = new URL(serverUrl);
    return `amqp://${userPrefix}${user}:${password}@${url.host}/${vhost}`;
  };
  const provision = (passwords: (user: BusUser) => string = (user) => `of-${user}`): Promise<void> => {
    const users = Object.fromEntries([...services, 'dlq' as const].map((user) => [user, passwords(user)]));
    return provisionRabbitMq({ managementUrl, vhost, users, userPrefix, log: (line) => lines.push(line) });
  };
  const open = async (service: ServiceName): Promise<MessageBus> => {
    const bus = await openBus({ url: urlOf(service), origin: ORIGIN, service });
    buses.push(bus);
    return bus;
  };
  const channelOf = async (user: BusUser): Promise<ConfirmChannel> => {
    const model = await connect(urlOf(user));
    model.on('error', () => undefined);
    models.push(model);
    const channel = await model.createConfirmChannel();
    channel.on('error', () => undefined);
    return channel;
  };

  beforeAll(() => provision());
  afterEach(async () => {
    await Promise.all([...buses.splice(0), ...models.splice(0)].map((open) => open.close()));
  });
  afterAll(async () => {
    await removeVhost(vhost);
    for (const user of [...services, 'dlq']) await api.delete('users', `${userPrefix}${user}`);
  });

  it('permits each service its own publishing and consuming', async () => {
    const [collector, series, gateway] = [await open('collector'), await open('series-api'), await open('gateway')];
    await collector.publish(slotObserved, data);
    await publishPage(collector, 1);
    await publishFact(series, 1);
    for (const bus of [collector, series, gateway]) await bus.check();
    expect(await series.depth('series-api')).toBe(1);
    expect(await gateway.logEnd()).toMatch(/^[0-9a-f]{16}-1$/);
    await collector.consume(pageConsumer(() => Promise.reject(new Error('no')), { attempts: 2 }));
    const office = await openDeadLetterStore({ url: urlOf('dlq') });
    await eventually(
      () => office.list(),
      ({ length }) => length === 1,
    );
    expect(await office.requeue()).toBe(1);
    await eventually(
      () => office.list(),
      ({ length }) => length === 1,
    );
    const output: string[] = [];
    const terminal = { out: (text: string) => output.push(text), error: (text: string) => output.push(text) };
    expect(await runDlq({ env: { BUS_URL: urlOf('dlq') }, terminal }, 'purge', { all: true })).toBe(0);
    expect(output).toEqual(['Purged 1 message.\n']);
    await office.close();
  });

  it('provisioning again corrects passwords, permissions and bindings without losing messages', async () => {
    const collector = await open('collector');
    await publishPage(collector, 1);
    const name = `${userPrefix}collector`;
    await api.put({ configure: '.*', write: '.*', read: '.*' }, 'permissions', vhost, name);
    await api.put({ password: 'another', tags: 'administrator' }, 'users', name);
    await api.post({ routing_key: 'stale' }, 'bindings', vhost, 'e', 'facts', 'q', 'collector');
    lines = [];
    await provision();
    expect(lines).toContain('RabbitMQ: removed the binding of collector to facts by stale');
    expect(lines.filter((line) => line.includes('created'))).toEqual([]);
    expect(await api.get('users', name)).toMatchObject({ tags: [] });
    const again = await open('collector');
    expect(await again.depth('collector')).toBeGreaterThanOrEqual(1);
    await expect(channelOf('collector').then((channel) => channel.get('series-api'))).rejects.toThrow(/ACCESS_REFUSED/);
  });

  it('provisioning changes policies in place, and refuses a queue with other arguments with the remedy', async () => {
    const other = `${vhost}-other`;
    const provisionOther = () =>
      provisionRabbitMq({ managementUrl, vhost: other, users: {}, log: (line) => lines.push(line) });
    await api.put({}, 'vhosts', other);
    try {
      const queue = { durable: true, arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': 7 } };
      await api.put(queue, 'queues', other, 'collector.dead');
      await expect(provisionOther()).rejects.toThrow(StartupError);
      await expect(provisionOther()).rejects.toThrow(
        /collector\.dead has x-delivery-limit 7, not unset.*delete_queue NAME.*init job/,
      );
      await api.delete('queues', other, 'collector.dead');
      await provisionOther();
      const policy = { pattern: '^collector$', definition: { 'delivery-limit': 7 } };
      await api.put(policy, 'policies', other, 'collector');
      lines = [];
      await provisionOther();
      expect(lines).toContain('RabbitMQ: created or changed the policy collector');
      expect(await api.get('policies', other, 'collector')).toMatchObject({ definition: { 'delivery-limit': 100 } });
    } finally {
      await removeVhost(other);
    }
  });

  it('a user that is refused after the loss of a connection is a fault, since a new start may have another password', async () => {
    const refused: Error[] = [];
    const hooks = { refused: (error: Error) => void refused.push(error) };
    buses.push(await openBus({ url: urlOf('gateway'), origin: ORIGIN, service: 'gateway', hooks }));
    await api.delete('users', `${userPrefix}gateway`);
    await eventually(
      () => refused,
      ({ length }) => length > 0,
    );
    expect(refused[0]).toMatchObject({ message: expect.stringMatching(/refuses the user .*gateway/) });
    await provision();
  });

  it('opening fails with instructions for a wrong password, a missing or an unprepared vhost', async () => {
    const wrong = openBus({ url: urlOf('collector', 'wrong'), origin: ORIGIN });
    await expect(wrong).rejects.toThrow(StartupError);
    await expect(wrong).rejects.toThrow(/refuses the user .*init job/);
    const nowhere = openBus({ url: `${serverUrl}/nowhere`, origin: ORIGIN });
    await expect(nowhere).rejects.toThrow(/no vhost nowhere .*init job/);
    const bare = `${vhost}-bare`;
    await api.put({}, 'vhosts', bare);
    try {
      const unprepared = openBus({ url: `${serverUrl}/${bare}`, origin: ORIGIN, service: 'collector' });
      await expect(unprepared).rejects.toThrow(StartupError);
      await expect(unprepared).rejects.toThrow(/not prepared.*the exchange observations.*init job/);
    } finally {
      await removeVhost(bare);
    }
  });
});
