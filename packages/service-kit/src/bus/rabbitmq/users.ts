import { allMessages, serviceNames, type Exchange, type ServiceName } from '@lobbystats/contracts';
import {
  deadLetterQueue,
  exactPattern,
  jobsQueue,
  LOG,
  LOG_IDENTITY,
  queuedServices,
  repliesQueue,
  replicasExchange,
  replicatedServices,
  retryExchange,
  topicExchanges,
} from './topology.ts';

export type BusUser = ServiceName | 'dlq';

export const busUsers: readonly BusUser[] = [...serviceNames, 'dlq'];

interface TopicGrant {
  readonly exchange: Exchange;
  readonly keys: readonly string[];
}

/** No user may declare, bind or delete. */
interface BusGrants {
  /** RabbitMQ's read permission includes purging. */
  readonly read: readonly string[];
  /** Non-topic exchanges. */
  readonly publish: readonly string[];
  readonly topics: readonly TopicGrant[];
}

/** Derived from the message table; provisioning sets them and `npm run docs:permissions` prints them. */
export function busGrants(user: BusUser): BusGrants {
  if (user === 'dlq') {
    return { read: queuedServices.map(deadLetterQueue), publish: queuedServices.map(retryExchange), topics: [] };
  }
  const queues = queuedServices.filter((queue) => queue === user);
  const shared = replicatedServices.filter((service) => service === user);
  return {
    read: [
      ...queues,
      ...shared.flatMap((service) => [jobsQueue(service), repliesQueue(service)]),
      ...(user === 'gateway' ? [LOG, LOG_IDENTITY] : []),
    ],
    publish: [
      ...queues.flatMap((queue) => [retryExchange(queue), deadLetterQueue(queue)]),
      ...shared.map(replicasExchange),
    ],
    topics: topicExchanges.flatMap((exchange) => {
      const published = allMessages.filter((type) => type.producer === user && type.exchange === exchange);
      return published.length === 0 ? [] : { exchange, keys: published.map(({ key }) => key) };
    }),
  };
}

/** Users with their passwords, and their permissions in a vhost, in RabbitMQ's own format. Passive declarations need none. */
export function userDefinitions(
  passwords: Partial<Readonly<Record<BusUser, string>>>,
  { vhost, userPrefix }: { vhost: string; userPrefix: string },
) {
  const users = Object.entries(passwords).map(([user, password]) => ({
    name: `${userPrefix}${user}`,
    password,
    grants: busGrants(user as BusUser),
  }));
  return {
    users: users.map(({ name, password }) => ({ name, password, tags: '' })),
    topic_permissions: users.flatMap(({ name: user, grants }) =>
      grants.topics.map(({ exchange, keys }) => ({ user, vhost, exchange, write: exactPattern(keys), read: '^$' })),
    ),
    permissions: users.map(({ name: user, grants: { read, publish, topics } }) => ({
      user,
      vhost,
      configure: '^$',
      write: exactPattern([...topics.map(({ exchange }) => exchange), ...publish]),
      read: exactPattern(read),
    })),
  };
}
