import type { EpochSeconds } from '@lobbystats/contracts';
import type { InfluxConnection } from './connection.influx.ts';
import type { SeriesStore } from './series-store.ts';
import { IN_PERIOD, periodValues } from './query-response.influx.ts';

export interface StoreParts {
  influx: InfluxConnection;
  horizon: RetentionWindow;
  withMutex: <T>(work: () => Promise<T>) => Promise<T>;
  onExpired: (points: number) => void;
}

/** Bounds reads. Older data expires with its shard; nothing is deleted explicitly, since deletions slow reads. */
export interface RetentionWindow {
  /** Exclusive; matches by their end. */
  snapshots(): EpochSeconds;
  retained(): EpochSeconds;
  dailies(): EpochSeconds;
  advance(to: { snapshots?: EpochSeconds | undefined; dailies?: EpochSeconds }): void;
}

export function createRetentionWindow(everySeconds: number, now: () => EpochSeconds): RetentionWindow {
  let purged = 0;
  let days = 0;
  const retained = (): number => (everySeconds === 0 ? 0 : now() - everySeconds);
  return {
    snapshots: () => Math.max(purged, retained()),
    retained,
    dailies: () => days,
    advance: ({ snapshots = 0, dailies = 0 }) => {
      purged = Math.max(purged, snapshots);
      days = Math.max(days, dailies);
    },
  };
}

export function purges({ influx, horizon }: StoreParts) {
  return {
    purge: async ({ snapshots, dailies }, slots) => {
      horizon.advance({ dailies });
      const [series] = await influx.query(
        'snapshots',
        `SELECT online FROM site WHERE ${IN_PERIOD} ORDER BY time LIMIT ${Math.trunc(slots)}`,
        periodValues({ after: 0, until: snapshots }, horizon.snapshots()),
      );
      const oldest = series?.[0]?.values ?? [];
      horizon.advance({ snapshots: Number(oldest.at(-1)?.[0] ?? 0) });
      return oldest.length === slots;
    },
  } satisfies Partial<SeriesStore>;
}
