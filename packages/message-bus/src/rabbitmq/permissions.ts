import type { Exchange } from '@lobbystats/contracts';
import { busGrants, type BusUser } from './grants.ts';

export interface Permissions {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
  readonly topics: readonly { readonly exchange: Exchange; readonly write: string; readonly read: string }[];
}

/** No user may configure; passive declarations need no permission. */
export function permissionsOf(user: BusUser): Permissions {
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
