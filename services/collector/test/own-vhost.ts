import { randomUUID } from 'node:crypto';
import { openBus, openDeadLetters, provisionRabbitMq, type MessageBus } from '@lobbystats/message-bus';
import { testServers } from '@lobbystats/test-kit';

/** A prepared vhost of a test's own on the run's RabbitMQ. */
export interface OwnVhost {
  /** For a collector's own user, who may do what a collector must. */
  readonly collectorUrl: string;
  /** A bus with all rights; who opens it closes it. */
  open(clock: () => number): Promise<MessageBus>;
  /** How many messages nobody could handle. */
  deadLetters(): Promise<number>;
  remove(): Promise<void>;
}

export async function ownVhost(): Promise<OwnVhost> {
  const { url: server, managementUrl } = testServers().rabbitmq;
  const vhost = `collector-${randomUUID()}`;
  const userPrefix = `${vhost}-`;
  const users = { collector: 'collector-password' };
  await provisionRabbitMq({ managementUrl, vhost, users, userPrefix, log: () => undefined });
  const url = `${server}/${vhost}`;
  return {
    collectorUrl: `amqp://${userPrefix}collector:${users.collector}@${new URL(server).host}/${vhost}`,
    open: (clock) => openBus({ url, origin: 'simulated', clock }),
    deadLetters: async () => {
      const office = await openDeadLetters({ url });
      try {
        return (await office.list()).length;
      } finally {
        await office.close();
      }
    },
    remove: async () => {
      await removeAsAdministrator(managementUrl, `vhosts/${vhost}`);
      await removeAsAdministrator(managementUrl, `users/${userPrefix}collector`);
    },
  };
}

async function removeAsAdministrator(managementUrl: string, path: string): Promise<void> {
  const { origin, username, password } = new URL(managementUrl);
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const headers = { authorization: `Basic ${credentials.toString('base64')}` };
  const { ok, status } = await fetch(`${origin}/api/${path}`, { method: 'DELETE', headers });
  if (!ok) throw new Error(`RabbitMQ's management answered DELETE ${path} with ${status}`);
}
