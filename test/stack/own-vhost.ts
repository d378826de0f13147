import { randomUUID } from 'node:crypto';
import { openBus, openDeadLetters, provisionRabbitMq, type BusUser, type MessageBus } from '@lobbystats/message-bus';
import { testServers } from '@lobbystats/test-kit';

const PASSWORD = 'its-own-password';

/** A prepared vhost of a test's own on the run's RabbitMQ. */
export interface OwnVhost {
  /** For the service's own user, who may do what it must. */
  readonly serviceUrl: string;
  /** A bus with all rights; who opens it closes it. */
  open(clock?: () => number): Promise<MessageBus>;
  /** How many messages nobody could handle. */
  deadLetters(): Promise<number>;
  remove(): Promise<void>;
}

/** @param service who has a user there */
export async function ownVhost(service: BusUser): Promise<OwnVhost> {
  const { url: server, managementUrl } = testServers().rabbitmq;
  const vhost = `${service}-${randomUUID()}`;
  const userPrefix = `${vhost}-`;
  const users = { [service]: PASSWORD };
  await provisionRabbitMq({ managementUrl, vhost, users, userPrefix, log: () => undefined });
  const url = `${server}/${vhost}`;
  return {
    serviceUrl: `amqp://${userPrefix}${service}:${PASSWORD}@${new URL(server).host}/${vhost}`,
    open: (clock = Date.now) => openBus({ url, origin: 'simulated', clock }),
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
      await removeAsAdministrator(managementUrl, `users/${userPrefix}${service}`);
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
