import type { Exchange } from '@lobbystats/contracts';
import { busGrants, type BusUser } from './grants.ts';

/** A user's rights in a vhost: patterns of names, as RabbitMQ takes them. */
export interface Rights {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
  /** Which routing keys it may write to each topic exchange. */
  readonly topics: readonly { readonly exchange: Exchange; readonly write: string; readonly read: string }[];
}

/**
 * A user's grants as RabbitMQ takes them. Nobody configures anything: provisioning alone makes and changes what is
 * there. Passive declarations need no rights.
 */
export function rightsOf(user: BusUser): Rights {
  const { read, publish, topics } = busGrants(user);
  const published = topics.filter(({ keys }) => keys.length > 0).map(({ exchange }) => exchange);
  return {
    configure: pattern([]),
    write: pattern([...published, ...publish]),
    read: pattern(read),
    topics: topics.map(({ exchange, keys }) => ({ exchange, write: pattern(keys), read: pattern([]) })),
  };
}

/** A pattern of exactly these names; of none it matches no name. */
function pattern(names: readonly string[]): string {
  if (names.length === 0) return '^$';
  return `^(${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`;
}
