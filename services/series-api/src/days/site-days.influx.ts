import type { SeriesStore, SiteDay } from '../database/series-store.ts';
import { lineOf, timeOf } from '../snapshots/points.influx.ts';
import { IN_PERIOD, periodValues, type Row } from '../database/query-response.influx.ts';
import type { StoreParts } from '../database/store-parts.influx.ts';

export const SITE_DAY_FIELDS = [
  ...(['onlineSum', 'samples', 'peakOnline', 'peakOnlineAt', 'lobbySum', 'lobbySamples'] as const),
  ...(['peakLobbies', 'peakLobbiesAt', 'matches', 'newestSlot'] as const),
];

export function siteDays({ influx }: StoreParts) {
  return {
    siteDays: async (period) => {
      const statement = `SELECT ${SITE_DAY_FIELDS.join(', ')} FROM site_rollup WHERE ${IN_PERIOD}`;
      const [series] = await influx.query('daily', statement, periodValues(period, -1));
      return (series?.[0]?.values ?? []).map(siteDay);
    },
    putSiteDays: (days) => influx.write('daily', days.map(siteDayLine)),
  } satisfies Partial<SeriesStore>;
}

export function siteDayLine({ day, ...statistics }: SiteDay): string {
  return lineOf('site_rollup', { time: timeOf(day) }, statistics);
}

export function siteDay([day, ...counts]: Row): SiteDay {
  const statistics = Object.fromEntries(SITE_DAY_FIELDS.map((field, index) => [field, counts[index]]));
  return { day, ...statistics } as unknown as SiteDay;
}
