import { randomUUID } from 'node:crypto';
import {
  ManagementApi,
  openBus,
  openDeadLetterStore,
  provisionRabbitMq,
  type BusUser,
  type MessageBus,
} from '@lobbystats/service-kit/bus';
import { testServers, type TestServers } from '../test-servers.ts';

const PASSWORD = 'its-own-password';

/** A provisioned RabbitMQ vhost for one suite. */
export interface TestVhost {
  /** URL with all permissions. */
  readonly url: string;
  /** URL with the user and permissions of the service. */
  readonly serviceUrl: string;
  /** Opens a bus with all permissions; the caller closes it. */
  openBus(clock?: () => number): Promise<MessageBus>;
  /** Number of dead letters. */
  deadLetters(): Promise<number>;
  remove(): Promise<void>;
}

/**
 * @param service service whose user is created
 * @param broker default: the shared test server
 */
export async function createVhost(
  service: BusUser,
  { url: server, managementUrl }: TestServers['rabbitmq'] = testServers().rabbitmq,
): Promise<TestVhost> {
  const vhost = `${service}-${randomUUID()}`;
  const userPrefix = `${vhost}-`;
  const users = { [service]: PASSWORD };
  await provisionRabbitMq({ managementUrl, vhost, users, userPrefix, log: () => undefined });
  const url = `${server}/${vhost}`;
  return {
    url,
    serviceUrl: `amqp://${userPrefix}${service}:${PASSWORD}@${new URL(server).host}/${vhost}`,
    openBus: (clock = Date.now) => openBus({ url, origin: 'simulated', clock }),
    deadLetters: async () => {
      const office = await openDeadLetterStore({ url });
      try {
        return (await office.list()).length;
      } finally {
        await office.close();
      }
    },
    remove: async () => {
      await removeVhost(vhost, managementUrl);
      await new ManagementApi({ url: managementUrl }).delete('users', `${userPrefix}${service}`);
    },
  };
}

/** Removes a vhost of the test servers with all its queues; none by this name is no error. */
export function removeVhost(vhost: string, managementUrl = testServers().rabbitmq.managementUrl): Promise<void> {
  return new ManagementApi({ url: managementUrl }).delete('vhosts', vhost);
}
