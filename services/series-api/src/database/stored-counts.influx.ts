import type { SeriesStore } from './series-store.ts';
import { IN_PERIOD, periodValues, type Series } from './query-response.influx.ts';
import type { StoreParts } from './store-parts.influx.ts';

const SLOTS = `SELECT count(online) FROM site WHERE ${IN_PERIOD}`;
const DAYS = 'SELECT count(samples) FROM site_rollup; SELECT count(registered) FROM site_daily';

export function storedCounts({ influx, horizon }: StoreParts) {
  return {
    countStored: async (period) => {
      const [[slots], [days, registeredDays]] = await Promise.all([
        influx.query('snapshots', SLOTS, periodValues(period, horizon.snapshots())),
        influx.query('daily', DAYS, {}),
      ]);
      return { slots: countIn(slots), days: countIn(days), registeredDays: countIn(registeredDays) };
    },
  } satisfies Partial<SeriesStore>;
}

/** No series: nothing to count. */
function countIn(found: readonly Series[] | undefined): number {
  return Number(found?.[0]?.values[0]?.[1] ?? 0);
}
