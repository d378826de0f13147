import {
  formatTimestamp,
  nameKey,
  slotOf,
  type EpochSeconds,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import { retained } from '../series/periods.ts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import type { Hosting, HostingQueries } from './hostings.queries.ts';

/** The host's spelling is that of the last match. */
export async function getHost(
  store: HostingQueries & SlotQueries,
  player: string,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getHost>> {
  const [hostings, newest] = await Promise.all([
    store.hostings(nameKey(player), retained(now)),
    store.slotBefore(now + 1),
  ]);
  const lastModified = newest ?? undefined;
  const [first, ...others] = hostings;
  if (first === undefined)
    return { body: { name: null, matchesHosted: 0, firstSeenAt: null, lastSeenAt: null }, lastModified };
  const { host, matches, startedAt, endedAt } = others.reduce(merge, first);
  return {
    body: {
      name: host,
      matchesHosted: matches,
      firstSeenAt: formatTimestamp(startedAt),
      // The network's clock may be ahead.
      lastSeenAt: formatTimestamp(Math.min(endedAt, slotOf(now))),
    },
    lastModified,
  };
}

function merge(one: Hosting, other: Hosting): Hosting {
  const isLater = other.endedAt > one.endedAt || (other.endedAt === one.endedAt && other.host < one.host);
  const { host, endedAt } = isLater ? other : one;
  return {
    host,
    endedAt,
    matches: one.matches + other.matches,
    startedAt: Math.min(one.startedAt, other.startedAt),
  };
}
