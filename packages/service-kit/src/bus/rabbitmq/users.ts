import { allMessages, serviceNames, type Exchange, type ServiceName } from '@lobbystats/contracts';
import type { ManagementApi } from './management-api.ts';
import {
  queuedServices,
  repliesQueue,
  deadLetterQueue,
  jobsQueue,
  LOG,
  LOG_IDENTITY,
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
    return {
      read: queuedServices.map(deadLetterQueue),
      publish: queuedServices.map(retryExchange),
      topics: topicGrants([]),
    };
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
    topics: topicGrants(allMessages.filter(({ producer }) => producer === user)),
  };
}

function topicGrants(published: typeof allMessages): TopicGrant[] {
  return topicExchanges.map((exchange) => ({
    exchange,
    keys: published.filter((type) => type.exchange === exchange).map(({ key }) => key),
  }));
}

interface Permissions {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
  readonly topics: readonly { readonly exchange: Exchange; readonly write: string; readonly read: string }[];
}

/** No user may configure; passive declarations need no permission. */
function permissionsOf(user: BusUser): Permissions {
  const { read, publish, topics } = busGrants(user);
  const published = topics.filter(({ keys }) => keys.length > 0).map(({ exchange }) => exchange);
  return {
    configure: toPattern([]),
    write: toPattern([...published, ...publish]),
    read: toPattern(read),
    topics: topics.map(({ exchange, keys }) => ({ exchange, write: toPattern(keys), read: toPattern([]) })),
  };
}

/** A pattern of exactly these names; it matches nothing for an empty list. */
function toPattern(names: readonly string[]): string {
  if (names.length === 0) return '^$';
  return `^(${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`;
}

interface UserToProvision {
  readonly vhost: string;
  readonly user: BusUser;
  readonly name: string;
  readonly password: string;
  readonly log: (line: string) => void;
}

export async function provisionUser(
  api: ManagementApi,
  { vhost, user, name, password, log }: UserToProvision,
): Promise<void> {
  const isNew = (await api.get('users', name)) === undefined;
  const { configure, write, read, topics } = permissionsOf(user);
  await api.put({ password, tags: '' }, 'users', name);
  // Topic permissions first: without any, a user may publish any key to an exchange with write permission.
  for (const topic of topics) await api.put(topic, 'topic-permissions', vhost, name);
  await api.put({ configure, write, read }, 'permissions', vhost, name);
  log(`RabbitMQ: ${isNew ? 'created' : 'set password and permissions of'} the user ${name}`);
}
