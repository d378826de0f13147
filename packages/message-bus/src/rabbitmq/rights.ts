import { allMessages, type Exchange, type ServiceName } from '@lobbystats/contracts';
import { deadLetters, LOG, LOG_IDENTITY, queuedServices, retryExchange, topicExchanges } from './topology.ts';

/** Who may connect: the services, and operators who see to the dead letters. */
export type BusUser = ServiceName | 'dlq';

/** A user's rights in a vhost: patterns of names, as RabbitMQ takes them. */
export interface Rights {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
  /** Which routing keys it may write to each topic exchange. */
  readonly topics: readonly { readonly exchange: Exchange; readonly write: string; readonly read: string }[];
}

/**
 * The least rights that a user's work needs. Nobody configures anything: provisioning alone makes and changes what is
 * there. Passive declarations need no rights.
 */
export function rightsOf(user: BusUser): Rights {
  return user === 'dlq'
    ? rights(queuedServices.map(deadLetters), queuedServices.map(retryExchange), () => [])
    : serviceRights(user);
}

function serviceRights(service: ServiceName): Rights {
  const published = allMessages.filter(({ producer }) => producer === service);
  const hasQueue = queuedServices.includes(service);
  return rights(
    [...(hasQueue ? [service] : []), ...(service === 'gateway' ? [LOG, LOG_IDENTITY] : [])],
    [
      ...new Set(published.map(({ exchange }) => exchange)),
      ...(hasQueue ? [retryExchange(service), deadLetters(service)] : []),
    ],
    (exchange) => published.filter((type) => type.exchange === exchange).map(({ key }) => key),
  );
}

function rights(
  read: readonly string[],
  write: readonly string[],
  keysOf: (exchange: Exchange) => readonly string[],
): Rights {
  return {
    configure: pattern([]),
    write: pattern(write),
    read: pattern(read),
    topics: topicExchanges.map((exchange) => ({ exchange, write: pattern(keysOf(exchange)), read: pattern([]) })),
  };
}

/** A pattern of exactly these names; of none it matches no name. */
function pattern(names: readonly string[]): string {
  if (names.length === 0) return '^$';
  return `^(${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`;
}
