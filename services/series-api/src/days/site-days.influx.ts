import type { SeriesStore, SiteDay } from '../database/series-store.ts';
import { lineOf, timeOf } from '../snapshots/points.influx.ts';
import { fieldsOf, IN_PERIOD, periodValues, type Row } from '../database/query-response.influx.ts';
import type { StoreParts } from '../database/store-parts.influx.ts';

const SITE_DAY_FIELDS = [
  'onlineSum',
  'samples',
  'peakOnline',
  'peakOnlineAt',
  'lobbySum',
  'lobbySamples',
  'peakLobbies',
  'peakLobbiesAt',
  'matches',
  'newestSlot',
] as const;

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

function siteDay([day, ...counts]: Row): SiteDay {
  return { day: Number(day), ...fieldsOf(SITE_DAY_FIELDS, counts) } as SiteDay;
}
