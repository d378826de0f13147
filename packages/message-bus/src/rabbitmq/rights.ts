import type { Exchange } from '@lobbystats/contracts';
import { busGrants, type BusUser } from './grants.ts';

export interface Rights {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
  readonly topics: readonly { readonly exchange: Exchange; readonly write: string; readonly read: string }[];
}

/** Nobody may configure; passive declarations need no permission. */
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

/** A pattern of exactly these names; it matches nothing for an empty list. */
function pattern(names: readonly string[]): string {
  if (names.length === 0) return '^$';
  return `^(${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`;
}
