import { DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { byTitle, countIn, IN_PERIOD, instantValue, periodValues, type Row } from '../database/influxql.ts';
import { lineOf, timeOf } from '../database/lines.ts';
import type { InfluxSeries } from '../database/open.influx.ts';
import type { SlotRange } from '../series/periods.ts';
import type { SeriesPoint } from '../series/points.ts';
import { titleKey } from '../titles/titles.queries.ts';

export type TitleRecordQueries = ReturnType<typeof titleRecordsInSqlite>;

/** Highest counts of all days that were rolled up, of equal ones the first. */
export interface TitleRecords {
  online: SeriesPoint | null;
  lobbies: SeriesPoint | null;
}

const MEASURES = ['online', 'lobbies'] as const satisfies (keyof TitleRecords)[];

export function titleRecordsInSqlite(store: SqliteStore) {
  return {
    /** Never purged. */
    titleRecords: async (titleId: string): Promise<TitleRecords> => {
      const rows = store.all<{ measure: keyof TitleRecords; at: number; count: number }>(
        'SELECT measure, at, count FROM title_record WHERE title_id = ?',
        titleKey(titleId),
      );
      const points = rows.map(({ measure, at, count }): [string, SeriesPoint] => [measure, [at, count]]);
      return { online: null, lobbies: null, ...Object.fromEntries(points) };
    },
    /** Raises the records of all titles to the peaks of these days, and of earlier ones, whose snapshots are gone. */
    raiseRecords: async (days: readonly EpochSeconds[]) =>
      store.transaction(() => {
        // First, since snapshots have the time of a record, and days only its day.
        for (const day of days) raiseToDay(store, { day, end: day + DAY_SECONDS });
        store.run(
          `INSERT INTO title_record (title_id, measure, count, at)
            SELECT title_id, 'online', max(peak_online), day FROM title_daily WHERE day <= ? GROUP BY title_id
            ON CONFLICT DO UPDATE SET count = excluded.count, at = excluded.at WHERE excluded.count > count`,
          days[0] ?? 0,
        );
      }),
  };
}

/** The higher count wins; on a tie the earlier one. SQLite takes `slot` from the first row with the maximum. */
const RAISE = MEASURES.map(
  (measure) => `
  INSERT INTO title_record (title_id, measure, count, at)
    SELECT title.id, '${measure}', max(${measure}), slot
      FROM title CROSS JOIN title_snapshot ON title_id = title.id AND slot >= :day AND slot < :end
      WHERE ${measure} IS NOT NULL
      GROUP BY title.id
    ON CONFLICT DO UPDATE SET count = excluded.count, at = excluded.at
      WHERE (excluded.count, -excluded.at) > (count, -at)`,
);

/** Raises the records of the titles to the peaks of a day. */
export function raiseToDay(store: SqliteStore, day: { day: EpochSeconds; end: EpochSeconds }): void {
  for (const statement of RAISE) store.prepare(statement).run(day);
}

const RECORDS = 'SELECT online, onlineAt, lobbies, lobbiesAt FROM title_record WHERE time <= 0';

export function titleRecordsInInflux(series: InfluxSeries) {
  const { influx, withMutex } = series;
  return {
    titleRecords: async (titleId) => {
      const [found] = await influx.query('daily', `${RECORDS} AND titleId = $titleId GROUP BY titleId`, { titleId });
      return recordsOf(byTitle(found)[0]?.[1]);
    },
    raiseRecords: async (days) => {
      const groups = await titleGroups(series);
      for (const day of days) await raiseToDayInInflux(series, day, groups);
      await withMutex(async () => {
        const [[peaks], [stored]] = await Promise.all([
          influx.query('daily', 'SELECT max(peakOnline) FROM title_daily WHERE time <= $until GROUP BY titleId', {
            until: instantValue(days[0] ?? 0),
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
    },
  } satisfies TitleRecordQueries;
}

/** Raises the records of the titles to the peaks of a day; of equal peaks, InfluxDB returns the first. */
export async function raiseToDayInInflux(
  series: InfluxSeries,
  day: EpochSeconds,
  groups: readonly string[],
): Promise<void> {
  await series.withMutex(async () => {
    for (const group of groups) await raiseGroup(series, day, group);
  });
}

async function raiseGroup({ influx, horizon }: InfluxSeries, day: EpochSeconds, group: string): Promise<void> {
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

/** Removes records that were set in some slots. */
export async function removeRecordsIn({ influx }: InfluxSeries, { from, to }: SlotRange): Promise<void> {
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

export function titleRecordLine(titleId: string, measure: keyof TitleRecords, [at, count]: SeriesPoint): string {
  const point = { measurement: 'title_record', tags: { titleId }, time: timeOf(0) };
  return lineOf(point, { [measure]: count, [`${measure}At`]: at });
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

/** InfluxDB aggregates a day of this many well within the read timeout, beside other work. */
const TITLES_PER_STATEMENT = 250;
const DIGITS = Array.from({ length: 16 }, (_, digit) => digit.toString(16));

/**
 * Conditions on `titleId` that split the titles into disjoint groups, by the last digit of their IDs. InfluxDB takes time
 * for each series of a statement, so one statement for all titles of a large network would exceed the read timeout.
 */
export async function titleGroups({ influx }: Pick<InfluxSeries, 'influx'>): Promise<string[]> {
  const [found] = await influx.query('daily', 'SELECT count(known) FROM title_info WHERE time <= 0', {});
  const count = Math.min(DIGITS.length, Math.ceil(countIn(found) / TITLES_PER_STATEMENT));
  if (count <= 1) return ['true'];
  return Array.from({ length: count }, (_, group) => {
    const digits = DIGITS.filter((_digit, index) => index % count === group);
    return `titleId =~ /[${digits.join('')}]$/`;
  });
}
