import { busGrants, busDefinitions, busUsers } from '@lobbystats/service-kit/bus';
import { denyAll, type PermissionBlock } from './permission.ts';

const { exchanges, queues } = busDefinitions();
const grants = new Map<string, ReturnType<typeof busGrants>>(busUsers.map((user) => [user, busGrants(user)]));
const topicExchanges = exchanges.filter(({ type }) => type === 'topic').map(({ name }) => name);
const messages = [
  ...busUsers.flatMap((user) =>
    busGrants(user).topics.flatMap(({ exchange, keys }) => keys.map((key) => `${exchange}/${key}`)),
  ),
  ...topicExchanges.map((exchange) => `${exchange}/any.other`),
];
const isStream = (queue: (typeof queues)[number]): boolean => queue.arguments['x-queue-type'] === 'stream';

const READ_ACTIONS = new Set(['consume', 'purge']);
const canRead = (user: string, queue: string, action: string): boolean =>
  READ_ACTIONS.has(action) && grants.get(user)?.read.includes(queue) === true;

/** RabbitMQ cannot purge streams. */
export const busPermissions: readonly PermissionBlock[] = [
  {
    ...{ server: 'RabbitMQ', kind: 'message', principals: busUsers, resources: messages, actions: ['publish'] },
    isAllowed: (user, message) =>
      grants.get(user)?.topics.some(({ exchange, keys }) => keys.some((key) => `${exchange}/${key}` === message)) ===
      true,
  },
  {
    ...{ server: 'RabbitMQ', kind: 'exchange', principals: busUsers, actions: ['publish', 'declare', 'delete'] },
    // amq.default reaches every queue by name.
    resources: [...exchanges.filter(({ type }) => type !== 'topic').map(({ name }) => name), 'amq.default'],
    isAllowed: (user, exchange, action) =>
      action === 'publish' && grants.get(user)?.publish.includes(exchange) === true,
  },
  {
    ...{ server: 'RabbitMQ', kind: 'topic exchange', principals: busUsers, resources: topicExchanges },
    actions: ['declare', 'delete'],
    isAllowed: denyAll,
  },
  {
    ...{ server: 'RabbitMQ', kind: 'queue', principals: busUsers },
    resources: queues.filter((queue) => !isStream(queue)).map(({ name }) => name),
    actions: ['consume', 'purge', 'bind', 'declare', 'delete'],
    isAllowed: canRead,
  },
  {
    ...{ server: 'RabbitMQ', kind: 'stream', principals: busUsers },
    resources: queues.filter(isStream).map(({ name }) => name),
    actions: ['consume', 'bind', 'declare', 'delete'],
    isAllowed: canRead,
  },
  {
    ...{ server: 'RabbitMQ', kind: 'broker', principals: busUsers, resources: ['the broker'], isAllowed: denyAll },
    actions: ['open another vhost', 'declare a queue of a new name', 'read the management API', 'create a user'],
  },
];
