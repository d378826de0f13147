import { DAY_SECONDS, nameKey, slotOf } from '@lobbystats/contracts';
import { dayOf } from '../../domain/periods.ts';
import type { SeriesStore } from '../../domain/series-store.ts';
import { hostHash, hostLine } from './host-lines.ts';
import { readRuns } from './match-runs.ts';
import { instantValue, slotAfterInstant } from './query-response.ts';
import type { StoreParts } from './store-parts.ts';

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

/**
 * Copies the runs of releases that wrote none for look-ups by host, once, and day by day: a month takes longer than the
 * limit of a query. Called by the only writer.
 */
export async function copyHostRuns(parts: StoreParts): Promise<void> {
  const { influx } = parts;
  const [series] = await influx.query('daily', 'SELECT hostRuns FROM store_identity WHERE time <= 0', {});
  if (series?.[0]?.values[0]?.[1] === true) return;
  const ends = 'SELECT first(endedAt) FROM match_run; SELECT last(endedAt) FROM match_run';
  const [oldest, newest] = (await influx.query('snapshots', ends, {})).map(([run]) => Number(run?.values[0]?.[0] ?? 0));
  for (let day = dayOf(oldest ?? 0); day <= (newest ?? 0); day += DAY_SECONDS) {
    const runs = await readRuns(parts, { from: day, to: day + DAY_SECONDS - 1 });
    await influx.write('snapshots', runs.map(hostLine));
  }
  await influx.write('daily', ['store_identity hostRuns=true 0']);
}
