import { allMessages, serviceNames, type Exchange, type ServiceName } from '@lobbystats/contracts';
import { deadLetters, LOG, LOG_IDENTITY, queuedServices, retryExchange, topicExchanges } from './topology.ts';

/** Users of the broker: one for each service, and `dlq` for operators who handle dead letters. */
export type BusUser = ServiceName | 'dlq';

export const busUsers: readonly BusUser[] = [...serviceNames, 'dlq'];

/** Which routing keys a user may publish to a topic exchange. */
interface TopicGrant {
  readonly exchange: Exchange;
  readonly keys: readonly string[];
}

/** All that a user may do in the vhost; nobody may declare, bind or delete anything. */
export interface BusGrants {
  /** Queues and streams that it may consume from. RabbitMQ's right to read a queue includes the right to purge it. */
  readonly read: readonly string[];
  /** Exchanges that are no topic exchanges, and that it may publish to. */
  readonly publish: readonly string[];
  readonly topics: readonly TopicGrant[];
}

/** The grants that follow from the message table: provisioning sets them, `docs/security.md` prints them. */
export function busGrants(user: BusUser): BusGrants {
  if (user === 'dlq') {
    return {
      read: queuedServices.map(deadLetters),
      publish: queuedServices.map(retryExchange),
      topics: topicGrants([]),
    };
  }
  const hasQueue = queuedServices.includes(user);
  return {
    read: [...(hasQueue ? [user] : []), ...(user === 'gateway' ? [LOG, LOG_IDENTITY] : [])],
    publish: hasQueue ? [retryExchange(user), deadLetters(user)] : [],
    topics: topicGrants(allMessages.filter(({ producer }) => producer === user)),
  };
}

function topicGrants(published: typeof allMessages): TopicGrant[] {
  return topicExchanges.map((exchange) => ({
    exchange,
    keys: published.filter((type) => type.exchange === exchange).map(({ key }) => key),
  }));
}
