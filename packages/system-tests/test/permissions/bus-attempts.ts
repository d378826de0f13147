import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';
import type { Attempt, Attempts } from './attempts.ts';

export interface BusAttemptsOptions {
  /** `host:port` of AMQP. */
  host: string;
  /** URL of the management API. */
  managementUrl: string;
  vhost: string;
  passwordOf: (user: string) => string;
}

type Act = (channel: ConfirmChannel, resource: string) => Promise<unknown>;

const acts: Readonly<Record<string, Act>> = {
  'message publish': (channel, message) => publish(channel, ...split(message)),
  'exchange publish': (channel, exchange) =>
    exchange === 'amq.default' ? publish(channel, '', 'collector') : publish(channel, exchange, 'now'),
  'exchange declare': (channel, exchange) => channel.assertExchange(exchange, 'fanout'),
  'exchange delete': (channel, exchange) => channel.deleteExchange(exchange),
  'queue consume': consume,
  'queue purge': (channel, queue) => channel.purgeQueue(queue),
  'queue bind': (channel, queue) => channel.bindQueue(queue, 'facts', '#'),
  'queue declare': (channel, queue) => channel.assertQueue(queue),
  'queue delete': (channel, queue) => channel.deleteQueue(queue),
  'broker declare a queue of a new name': (channel) => channel.assertQueue('permissions.new'),
};

/** Attempts on a vhost, each on a new channel, because RabbitMQ closes the channel after a refusal. */
export function busAttempts({ host, managementUrl, vhost, passwordOf }: BusAttemptsOptions): Attempts {
  const models = new Map<string, Promise<ChannelModel>>();
  const urlOf = (user: string, path: string) => `amqp://${user}:${passwordOf(user)}@${host}/${path}`;
  const modelOf = (user: string): Promise<ChannelModel> => {
    const open = models.get(user) ?? connect(urlOf(user, vhost));
    models.set(user, open);
    return open;
  };
  const manages = async (user: string, method: string, path: string, body?: string): Promise<boolean> => {
    const authorization = `Basic ${btoa(`${user}:${passwordOf(user)}`)}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const { ok, status } = await fetch(`${managementUrl}/api/${path}`, { method, headers, ...(body && { body }) });
    if (!ok && status !== 401 && status !== 403) throw new Error(`The management API answered ${path} with ${status}`);
    return ok;
  };

  const isAllowed = async ({ principal, kind, resource, action }: Attempt): Promise<boolean> => {
    if (action === 'open another vhost') return canOpen(urlOf(principal, '%2F'));
    if (action === 'read the management API') return manages(principal, 'GET', 'overview');
    if (action === 'create a user') return manages(principal, 'PUT', 'users/intruder', '{"password":"x","tags":""}');
    const act = acts[`${kind.replace('topic exchange', 'exchange').replace('stream', 'queue')} ${action}`];
    if (act === undefined) throw new Error(`There is no attempt for ${kind} ${action}`);
    return tryOnChannel(await modelOf(principal), (channel) => act(channel, resource));
  };
  return {
    isAllowed,
    close: async () => {
      for (const model of models.values()) await (await model).close();
    },
  };
}

async function tryOnChannel(model: ChannelModel, act: (channel: ConfirmChannel) => Promise<unknown>): Promise<boolean> {
  const channel = await model.createConfirmChannel();
  let refusal: unknown;
  const closed = new Promise<void>((resolve) => channel.once('close', resolve));
  channel.once('error', (error: unknown) => {
    refusal = error;
  });
  try {
    await act(channel);
    await channel.close();
    return true;
  } catch (error) {
    await closed;
    if (String(refusal ?? error).includes('ACCESS_REFUSED')) return false;
    throw error;
  }
}

async function canOpen(url: string): Promise<boolean> {
  try {
    await (await connect(url)).close();
    return true;
  } catch (error) {
    // amqplib has no specific error for a broker that closes the connection when a vhost is opened.
    if (/Expected ConnectionOpenOk; got <ConnectionClose|NOT.ALLOWED/.test(String(error))) return false;
    throw error;
  }
}

async function publish(channel: ConfirmChannel, exchange: string, key: string): Promise<void> {
  channel.publish(exchange, key, Buffer.from('{}'));
  await channel.waitForConfirms();
}

/** Streams can only be consumed from, and only with a prefetch. */
async function consume(channel: ConfirmChannel, queue: string): Promise<void> {
  await channel.prefetch(1);
  await channel.consume(queue, () => undefined);
}

function split(message: string): [exchange: string, key: string] {
  const at = message.indexOf('/');
  return [message.slice(0, at), message.slice(at + 1)];
}
