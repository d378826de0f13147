import { DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { SeriesPoint, SeriesStore, SlotRange, TitleRecords } from '../database/series-store.ts';
import { lineOf, timeOf } from '../snapshots/points.influx.ts';
import { IN_PERIOD, instantValue, periodValues, type Row } from '../database/query-response.influx.ts';
import { byTitle } from '../snapshots/slot-reads.influx.ts';
import type { StoreParts } from '../database/store-parts.influx.ts';

const RECORDS = 'SELECT online, onlineAt, lobbies, lobbiesAt FROM title_record WHERE time <= 0';

const MEASURES = ['online', 'lobbies'] as const satisfies (keyof TitleRecords)[];

export function titleRecords({ influx }: StoreParts) {
  return {
    titleRecords: async (titleId) => {
      const [found] = await influx.query('daily', `${RECORDS} AND titleId = $titleId GROUP BY titleId`, { titleId });
      return recordsOf(byTitle(found)[0]?.[1]);
    },
  } satisfies Partial<SeriesStore>;
}

/** Removes records that were set in some slots. */
export async function removeRecordsIn({ influx }: StoreParts, { from, to }: SlotRange): Promise<void> {
  const [stored] = await influx.query('daily', `${RECORDS} GROUP BY titleId`, {});
  const lines = byTitle(stored).flatMap(([titleId, row]) =>
    MEASURES.flatMap((measure) => {
      const point = recordsOf(row)[measure];
      const isWithin = point !== null && from <= point[0] && point[0] <= to;
      return isWithin ? titleRecordLine(titleId, measure, [0, 0]) : [];
    }),
  );
  await influx.write('daily', lines);
}

/** Raises the records of the titles to the peaks of days whose snapshots are gone, up to an instant. */
export async function raiseToOlderDays(parts: StoreParts, until: EpochSeconds): Promise<void> {
  const { influx } = parts;
  await parts.withMutex(async () => {
    const [[peaks], [stored]] = await Promise.all([
      influx.query('daily', 'SELECT max(peakOnline) FROM title_daily WHERE time <= $until GROUP BY titleId', {
        until: instantValue(until),
      }),
      influx.query('daily', `${RECORDS} GROUP BY titleId`, {}),
    ]);
    const records = new Map(byTitle(stored).map(([titleId, row]) => [titleId, recordsOf(row)]));
    const lines = byTitle(peaks).flatMap(([titleId, [day, peak]]) =>
      Number(peak) > (records.get(titleId)?.online?.[1] ?? -1)
        ? titleRecordLine(titleId, 'online', [Number(day), Number(peak)])
        : [],
    );
    await influx.write('daily', lines);
  });
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

/** One at time 0 was removed. */
function pointOf(slot: Row[number] = null, count: Row[number] = null): SeriesPoint | null {
  return slot === null || slot === 0 || count === null ? null : [Number(slot), Number(count)];
}
