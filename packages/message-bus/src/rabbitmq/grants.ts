import { allMessages, serviceNames, type Exchange, type ServiceName } from '@lobbystats/contracts';
import { deadLetterQueue, LOG, LOG_IDENTITY, queuedServices, retryExchange, topicExchanges } from './topology.ts';

export type BusUser = ServiceName | 'dlq';

export const busUsers: readonly BusUser[] = [...serviceNames, 'dlq'];

interface TopicGrant {
  readonly exchange: Exchange;
  readonly keys: readonly string[];
}

/** No user may declare, bind or delete. */
export interface BusGrants {
  /** RabbitMQ's read permission includes purging. */
  readonly read: readonly string[];
  /** Non-topic exchanges. */
  readonly publish: readonly string[];
  readonly topics: readonly TopicGrant[];
}

/** Derived from the message table; provisioning sets them and `docs/security.md` prints them. */
export function busGrants(user: BusUser): BusGrants {
  if (user === 'dlq') {
    return {
      read: queuedServices.map(deadLetterQueue),
      publish: queuedServices.map(retryExchange),
      topics: topicGrants([]),
    };
  }
  const hasQueue = queuedServices.includes(user);
  return {
    read: [...(hasQueue ? [user] : []), ...(user === 'gateway' ? [LOG, LOG_IDENTITY] : [])],
    publish: hasQueue ? [retryExchange(user), deadLetterQueue(user)] : [],
    topics: topicGrants(allMessages.filter(({ producer }) => producer === user)),
  };
}

function topicGrants(published: typeof allMessages): TopicGrant[] {
  return topicExchanges.map((exchange) => ({
    exchange,
    keys: published.filter((type) => type.exchange === exchange).map(({ key }) => key),
  }));
}
