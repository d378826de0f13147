import { compareCodePoints } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { byTitle, countIn, IN_PERIOD, periodValues } from '../database/influxql.ts';
import type { InfluxSeries } from '../database/open.influx.ts';
import type { Period } from '../series/periods.ts';
import { titleIdOf } from '../titles/titles.queries.ts';

export type TotalQueries = ReturnType<typeof totalsInSqlite>;

export interface TitlePeak {
  titleId: string;
  peak: number;
  total: number;
  samples: number;
}

/** Counts of slots, of days with a rollup, and of days with registered users. */
interface StoredCounts {
  slots: number;
  days: number;
  registeredDays: number;
}

export function totalsInSqlite(store: SqliteStore) {
  const titlePeaks = (sql: string, { after, until }: Period) =>
    store
      .all<Omit<TitlePeak, 'titleId'> & { id: number }>(sql, after, until)
      .map(({ id, peak, total, samples }): TitlePeak => ({ titleId: titleIdOf(id), peak, total, samples }));
  return {
    titlePeaks: async (period: Period) =>
      titlePeaks(
        `SELECT title.id, max(online) AS peak, sum(online) AS total, count(*) AS samples
          FROM title CROSS JOIN title_snapshot ON title_id = title.id AND slot > ? AND slot <= ?
          GROUP BY title.id ORDER BY title.id`,
        period,
      ),
    /** Returns the same of daily statistics. */
    titleDayPeaks: async (period: Period) =>
      titlePeaks(
        `SELECT title.id, max(peak_online) AS peak, sum(online_sum) AS total, sum(samples) AS samples
          FROM title CROSS JOIN title_daily ON title_id = title.id AND day > ? AND day <= ?
          GROUP BY title.id ORDER BY title.id`,
        period,
      ),
    /** Slots of the period, and all days. */
    countStored: async ({ after, until }: Period) =>
      store.get<StoredCounts>(
        `SELECT (SELECT count(*) FROM site_snapshot WHERE slot > ? AND slot <= ?) AS slots,
          (SELECT count(*) FROM site_rollup) AS days, (SELECT count(*) FROM site_daily) AS registeredDays`,
        after,
        until,
      ) ?? { slots: 0, days: 0, registeredDays: 0 },
  };
}

export function totalsInInflux({ influx, horizon }: InfluxSeries) {
  const titlePeaks = async (...query: Parameters<typeof influx.query>): Promise<TitlePeak[]> => {
    const [found] = await influx.query(...query);
    return byTitle(found)
      .map(([titleId, row]) => {
        const [, peak = 0, total = 0, samples = 0] = row.map(Number);
        return { titleId, peak, total, samples };
      })
      .sort((a, b) => compareCodePoints(a.titleId, b.titleId));
  };
  return {
    titlePeaks: (period) =>
      titlePeaks(
        'snapshots',
        `SELECT max(online), sum(online), count(online) FROM title WHERE ${IN_PERIOD} GROUP BY titleId`,
        periodValues(period, horizon.snapshots()),
      ),
    titleDayPeaks: (period) =>
      titlePeaks(
        'daily',
        `SELECT max(peakOnline), sum(onlineSum), sum(samples) FROM title_daily WHERE ${IN_PERIOD} GROUP BY titleId`,
        periodValues(period, horizon.dailies()),
      ),
    countStored: async (period) => {
      const [[slots], [days, registeredDays]] = await Promise.all([
        influx.query(
          'snapshots',
          `SELECT count(online) FROM site WHERE ${IN_PERIOD}`,
          periodValues(period, horizon.snapshots()),
        ),
        influx.query('daily', 'SELECT count(samples) FROM site_rollup; SELECT count(registered) FROM site_daily', {}),
      ]);
      return { slots: countIn(slots), days: countIn(days), registeredDays: countIn(registeredDays) };
    },
  } satisfies TotalQueries;
}
