import { setImmediate } from 'node:timers/promises';
import { DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { byTitle, fieldsOf, IN_PERIOD, instantValue, periodValues, rowsIn, type Row } from '../database/influxql.ts';
import { lineOf, timeOf } from '../database/lines.ts';
import type { InfluxSeries } from '../database/open.influx.ts';
import type { MatchRun } from '../matches/match-runs.ts';
import { runsInInflux } from '../matches/runs.queries.ts';
import type { Period } from '../series/periods.ts';
import { titleKey } from '../titles/titles.queries.ts';
import { raiseToDay, raiseToDayInInflux, titleGroups } from './title-records.queries.ts';

export type TitleDayQueries = ReturnType<typeof titleDaysInSqlite>;

export interface TitleDay {
  day: EpochSeconds;
  /** Matches that were open on the day. */
  lobbyCount: number;
  uniqueHosts: number;
  peakPlayers: number;
  peakOnline: number;
  onlineSum: number;
  samples: number;
  newestSlot: EpochSeconds;
}

export const TITLE_DAY_COLUMNS = `day, lobby_count AS lobbyCount, unique_hosts AS uniqueHosts, peak_players AS peakPlayers,
  peak_online AS peakOnline, online_sum AS onlineSum, samples, newest_slot AS newestSlot`;

/** Gaps are shorter than a day, so the matches that were open on a day are the runs that overlap it. */
const ROLL_UP = `
  INSERT INTO title_daily
      (title_id, day, lobby_count, unique_hosts, peak_players, peak_online, online_sum, samples, newest_slot)
    SELECT counted.id, :day, ifnull(runs, 0), ifnull(hosts, 0), peak_players, peak_online, online_sum, samples, newest_slot
      FROM (
        SELECT title.id, ifnull(max(lobby_players), 0) AS peak_players, max(online) AS peak_online,
            sum(online) AS online_sum, count(*) AS samples, max(slot) AS newest_slot
          FROM title CROSS JOIN title_snapshot ON title_id = title.id AND slot >= :day AND slot < :end
          GROUP BY title.id
      ) AS counted
      LEFT JOIN (
        SELECT title_id, count(*) AS runs, count(DISTINCT host_id) AS hosts
          FROM match_run WHERE ended_at >= :day AND started_at < :end
          GROUP BY title_id
      ) AS played ON played.title_id = counted.id
      WHERE true
    ON CONFLICT DO UPDATE SET lobby_count = excluded.lobby_count, unique_hosts = excluded.unique_hosts,
        peak_players = excluded.peak_players, peak_online = excluded.peak_online, online_sum = excluded.online_sum,
        samples = excluded.samples, newest_slot = excluded.newest_slot
      WHERE excluded.samples >= samples`;

export function titleDaysInSqlite(store: SqliteStore) {
  return {
    titleDays: async (titleId: string, { after, until }: Period) =>
      store.all<TitleDay>(
        `SELECT ${TITLE_DAY_COLUMNS} FROM title_daily WHERE title_id = ? AND day > ? AND day <= ? ORDER BY day`,
        titleKey(titleId),
        after,
        until,
      ),
    /**
     * Recomputes days of titles from stored data, and raises the titles' records. A day computed from more snapshots
     * than remain stays.
     */
    rollUp: async (days: readonly EpochSeconds[]) => {
      for (const day of days) {
        const bounds = { day, end: day + DAY_SECONDS };
        store.transaction(() => {
          store.prepare(ROLL_UP).run(bounds);
          raiseToDay(store, bounds);
        });
        await setImmediate();
      }
    },
  };
}

const TITLE_DAY_FIELDS = [
  'lobbyCount',
  'uniqueHosts',
  'peakPlayers',
  'peakOnline',
  'onlineSum',
  'samples',
  'newestSlot',
] as const;

const DAYS_PER_BATCH = 2;

export function titleDaysInInflux(series: InfluxSeries) {
  const { influx, horizon } = series;
  return {
    titleDays: async (titleId, period) => {
      const statement = `SELECT ${TITLE_DAY_FIELDS.join(', ')} FROM title_daily
        WHERE titleId = $titleId AND ${IN_PERIOD}`;
      const values = { titleId, ...periodValues(period, horizon.dailies()) };
      return rowsIn(await influx.query('daily', statement, values)).map(titleDay);
    },
    rollUp: async (days) => {
      const groups = await titleGroups(series);
      for (let from = 0; from < days.length; from += DAYS_PER_BATCH) {
        const some = days.slice(from, from + DAYS_PER_BATCH);
        const lines = await Promise.all(some.map((day) => linesOfDay(series, day, groups)));
        await influx.write('daily', lines.flat());
        for (const day of some) await raiseToDayInInflux(series, day, groups);
      }
    },
  } satisfies TitleDayQueries;
}

function titleDay([day, ...counts]: Row): TitleDay {
  return { day: Number(day), ...fieldsOf(TITLE_DAY_FIELDS, counts) } as TitleDay;
}

export function titleDayLine(titleId: string, { day, ...statistics }: TitleDay): string {
  return lineOf({ measurement: 'title_daily', tags: { titleId }, time: timeOf(day) }, statistics);
}

/** As in SQLite, the matches that were open on a day are the runs that overlap it. */
async function linesOfDay(series: InfluxSeries, day: EpochSeconds, groups: readonly string[]): Promise<string[]> {
  const runs = await runsInInflux(series).runsBetween(day, day + DAY_SECONDS - 1);
  const played = Map.groupBy(runs, ({ titleId }) => titleId);
  const lines: string[] = [];
  for (const group of groups) lines.push(...(await linesOfGroup(series, day, group, played)));
  return lines;
}

async function linesOfGroup(
  { influx, horizon }: InfluxSeries,
  day: EpochSeconds,
  group: string,
  played: ReadonlyMap<string, readonly MatchRun[]>,
): Promise<string[]> {
  const values = periodValues({ after: day - 1, until: day + DAY_SECONDS - 1 }, horizon.snapshots());
  const inDay = `FROM title WHERE ${group} AND ${IN_PERIOD} GROUP BY titleId`;
  const [[counted, newest], [stored]] = await Promise.all([
    influx.query(
      'snapshots',
      `SELECT max(lobbyPlayers), max(online), sum(online), count(online) ${inDay}; SELECT last(online) ${inDay}`,
      values,
    ),
    influx.query('daily', `SELECT samples FROM title_daily WHERE ${group} AND time = $day GROUP BY titleId`, {
      day: instantValue(day),
    }),
  ]);
  const newestSlots = new Map(byTitle(newest).map(([titleId, [slot]]) => [titleId, slot]));
  const samplesBefore = new Map(byTitle(stored).map(([titleId, [, samples]]) => [titleId, Number(samples)]));

  const lines = [];
  for (const [titleId, [, peakPlayers, peakOnline, onlineSum, samples]] of byTitle(counted)) {
    if (Number(samples) < (samplesBefore.get(titleId) ?? 0)) continue;
    const open = played.get(titleId) ?? [];
    lines.push(
      titleDayLine(titleId, {
        day,
        lobbyCount: open.length,
        uniqueHosts: new Set(open.map(({ host }) => host)).size,
        peakPlayers: Number(peakPlayers),
        peakOnline: Number(peakOnline),
        onlineSum: Number(onlineSum),
        samples: Number(samples),
        newestSlot: Number(newestSlots.get(titleId)),
      }),
    );
  }
  return lines;
}
