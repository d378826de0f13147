import { nameKey, slotOf } from '@lobbystats/contracts';
import type { SeriesStore } from '../database/series-store.ts';
import { hostHash } from './host-lines.influx.ts';
import { instantValue, slotAfterInstant } from '../database/query-response.influx.ts';
import type { StoreParts } from '../database/store-parts.influx.ts';

export function hostings({ influx, horizon }: StoreParts) {
  return {
    hostings: async (playerKey, { after, until }) => {
      const [series = []] = await influx.query(
        'snapshots',
        'SELECT host, endedAt FROM host_run WHERE hostHash = $hostHash AND endedAt > $after AND time >= $oldest AND time < $end',
        {
          hostHash: hostHash(playerKey),
          after: Math.max(after, horizon.snapshots()),
          oldest: instantValue(horizon.retained() + 1),
          end: instantValue(slotAfterInstant(until)),
        },
      );
      return series
        .flatMap(({ values }) => values)
        .filter(([, host]) => nameKey(String(host)) === playerKey)
        .map(([time, host, endedAt]) => ({
          host: String(host),
          matches: 1,
          startedAt: slotOf(Number(time)),
          endedAt: Number(endedAt),
        }));
    },
  } satisfies Partial<SeriesStore>;
}
