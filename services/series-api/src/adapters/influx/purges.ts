import type { SeriesStore } from '../../domain/series-store.ts';
import { instantValue } from './query-times.ts';
import type { StoreParts } from './series-store-parts.ts';

export function purges({ influx, horizon }: StoreParts) {
  return {
    purge: async ({ snapshots, dailies }, slots) => {
      horizon.advance({ dailies });
      const [series] = await influx.query(
        'snapshots',
        `SELECT online FROM site WHERE time > $after AND time <= $until ORDER BY time LIMIT ${Math.trunc(slots)}`,
        { after: instantValue(horizon.snapshots()), until: instantValue(snapshots) },
      );
      const oldest = series?.[0]?.values ?? [];
      horizon.advance({ snapshots: Number(oldest.at(-1)?.[0] ?? 0) });
      return oldest.length === slots;
    },
  } satisfies Partial<SeriesStore>;
}
