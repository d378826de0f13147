import { DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { SeriesPoint, SeriesStore, TitleRecords } from '../database/series-store.ts';
import { lineOf, timeOf } from '../snapshots/points.influx.ts';
import { IN_PERIOD, periodValues, type Row } from '../database/query-response.influx.ts';
import { byTitle } from '../snapshots/slot-reads.influx.ts';
import type { StoreParts } from '../database/store-parts.influx.ts';

const RECORDS = 'SELECT online, onlineAt, lobbies, lobbiesAt FROM title_record WHERE time <= 0';

export function titleRecords({ influx }: StoreParts) {
  return {
    titleRecords: async (titleId) => {
      const [found] = await influx.query('daily', `${RECORDS} AND titleId = $titleId GROUP BY titleId`, { titleId });
      return recordsOf(byTitle(found)[0]?.[1]);
    },
  } satisfies Partial<SeriesStore>;
}

/** Raises the records of the titles to the peaks of a day; of equal peaks, InfluxDB returns the first. */
export async function raiseTitleRecords(
  parts: StoreParts,
  day: EpochSeconds,
  groups: readonly string[],
): Promise<void> {
  await parts.withMutex(async () => {
    for (const group of groups) await raiseGroup(parts, day, group);
  });
}

async function raiseGroup({ influx, horizon }: StoreParts, day: EpochSeconds, group: string): Promise<void> {
  const inDay = `FROM title WHERE ${group} AND ${IN_PERIOD} GROUP BY titleId`;
  const values = periodValues({ after: day - 1, until: day + DAY_SECONDS - 1 }, horizon.snapshots());
  const [[online, lobbies], [stored]] = await Promise.all([
    influx.query('snapshots', `SELECT max(online) ${inDay}; SELECT max(lobbies) ${inDay}`, values),
    influx.query('daily', `${RECORDS} AND ${group} GROUP BY titleId`, {}),
  ]);
  const records = new Map(byTitle(stored).map(([titleId, row]) => [titleId, recordsOf(row)]));
  const raised = (measure: keyof TitleRecords, peaks: typeof online) =>
    byTitle(peaks).map(([titleId, [at, count]]) =>
      titleRecordLine(titleId, measure, higher([Number(at), Number(count)], records.get(titleId)?.[measure])),
    );
  // Unchanged records are written too: readable data may not be durable.
  await influx.write('daily', [...raised('online', online), ...raised('lobbies', lobbies)]);
}

export function titleRecordLine(titleId: string, measure: keyof TitleRecords, [at, count]: SeriesPoint): string {
  return lineOf('title_record', { titleId, time: timeOf(0) }, { [measure]: count, [`${measure}At`]: at });
}

/** The higher count; on a tie the earlier one. */
function higher(peak: SeriesPoint, record: SeriesPoint | null = null): SeriesPoint {
  return record === null || (peak[1] - record[1] || record[0] - peak[0]) > 0 ? peak : record;
}

function recordsOf([, online, onlineAt, lobbies, lobbiesAt]: Row = []): TitleRecords {
  return { online: pointOf(onlineAt, online), lobbies: pointOf(lobbiesAt, lobbies) };
}

function pointOf(slot: Row[number] = null, count: Row[number] = null): SeriesPoint | null {
  return slot === null || count === null ? null : [Number(slot), Number(count)];
}
