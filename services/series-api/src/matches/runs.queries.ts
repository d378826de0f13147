import { slotOf, type EpochSeconds } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { countIn, instantValue, slotAfterInstant, type Row } from '../database/influxql.ts';
import { lineOf, timeOfHost } from '../database/lines.ts';
import type { InfluxSeries } from '../database/open.influx.ts';
import type { Period } from '../series/periods.ts';
import type { MatchSnapshot } from '../slots/snapshots.ts';
import { ofTitle, ofTitleKey, titleIdOf, titleKey, titleValues } from '../titles/titles.queries.ts';
import { hostLine } from './hostings.queries.ts';
import type { MatchRun } from './match-runs.ts';

export type RunQueries = ReturnType<typeof runsInSqlite>;

export type RunRow = Omit<MatchRun, 'titleId'>;

export const RUN_COLUMNS = `host.name AS host, started_at AS startedAt, ended_at AS endedAt, players,
  max_players AS maxPlayers, peak_players AS peakPlayers`;

export function runsInSqlite(store: SqliteStore) {
  return {
    /** Runs of all titles, or of one, that overlap a time; in no order. */
    runsBetween: async (from: EpochSeconds, to: EpochSeconds, titleId?: string) =>
      store
        .all<RunRow & { titleKey: number }>(
          `SELECT title_id AS titleKey, ${RUN_COLUMNS} FROM match_run JOIN host ON host.id = host_id
            WHERE ended_at >= ? AND started_at <= ? ${ofTitleKey(titleId)}`,
          from,
          to,
          ...titleValues(titleId),
        )
        .map(({ titleKey: key, host, startedAt, endedAt, players, maxPlayers, peakPlayers }): MatchRun => ({
          titleId: titleIdOf(key),
          host,
          startedAt,
          endedAt,
          players,
          maxPlayers,
          peakPlayers,
        })),
    /** Snapshots of a title's matches, ascending by slot. */
    matchSnapshots: async (titleId: string, period: Period) => storedMatchSnapshots(store, titleId, period),
    /** Number of runs that began from `from` to `to`: a day has too many to be read. */
    countRuns: async (from: EpochSeconds, to: EpochSeconds) => {
      // No run ends before it begins: the index by end has the rows.
      const sql = 'SELECT count(*) AS count FROM match_run WHERE ended_at >= ? AND started_at >= ? AND started_at <= ?';
      return store.get<{ count: number }>(sql, from, from, to)?.count ?? 0;
    },
  };
}

export function storedMatchSnapshots(store: SqliteStore, titleId: string, { after, until }: Period): MatchSnapshot[] {
  return store
    .all<Omit<MatchSnapshot, 'titleId'>>(
      `SELECT stored.slot, host.name AS host, players, max_players AS maxPlayers
        FROM site_snapshot AS stored
        CROSS JOIN match_snapshot AS seen ON seen.slot = stored.slot AND seen.title_id = ?
        JOIN host ON host.id = host_id
        WHERE stored.slot > ? AND stored.slot <= ? ORDER BY stored.slot`,
      titleKey(titleId),
      after,
      until,
    )
    .map((row) => ({ ...row, titleId }));
}

/**
 * Long runs have a second measurement: finding the runs that span an instant then needs only the last hours' points.
 */
const LONG_SECONDS: EpochSeconds = 6 * 3600;

const COLUMNS = 'titleId::tag, host, endedAt, players, maxPlayers, peakPlayers';

export function runsInInflux({ influx, horizon }: InfluxSeries) {
  return {
    runsBetween: async (from, to, titleId?: string) => {
      // A run that began before the retention is a point that no longer grows.
      const oldest = horizon.retained() + 1;
      const ended = Math.max(from, horizon.snapshots() + 1);
      const recent = Math.max(slotOf(ended - LONG_SECONDS), oldest);
      const having = `endedAt >= $ended${ofTitle(titleId)}`;
      const found = await influx.query(
        'snapshots',
        `SELECT ${COLUMNS} FROM match_run WHERE time >= $recent AND time < $end AND ${having};
          SELECT ${COLUMNS} FROM match_run_long WHERE time >= $oldest AND time < $recent AND time < $end AND ${having}`,
        {
          recent: instantValue(recent),
          oldest: instantValue(oldest),
          end: instantValue(slotAfterInstant(to)),
          ended,
          ...(titleId !== undefined && { titleId }),
        },
      );
      return found.flat().flatMap(({ values }) => values.map(runOf));
    },
    matchSnapshots: async (titleId, { after, until }) => {
      const [series = []] = await influx.query(
        'snapshots',
        'SELECT host, players, maxPlayers FROM match WHERE titleId = $titleId AND time >= $first AND time < $end',
        {
          titleId,
          first: instantValue(Math.max(after, horizon.retained()) + 1),
          end: instantValue(slotAfterInstant(until)),
        },
      );
      return series
        .flatMap(({ values }) => values)
        .map(([time, host, players, maxPlayers]) => ({
          slot: slotOf(Number(time)),
          titleId,
          host: String(host),
          players: Number(players),
          maxPlayers: Number(maxPlayers),
        }));
    },
    countRuns: async (from, to) => {
      const [found] = await influx.query(
        'snapshots',
        'SELECT count(endedAt) FROM match_run WHERE time >= $start AND time < $end AND endedAt >= $ended',
        {
          start: instantValue(Math.max(from, horizon.retained() + 1)),
          end: instantValue(slotAfterInstant(to)),
          ended: Math.max(from, horizon.snapshots() + 1),
        },
      );
      return countIn(found);
    },
  } satisfies RunQueries;
}

function runOf([time, titleId, host, endedAt, players, maxPlayers, peakPlayers]: Row): MatchRun {
  return {
    titleId: String(titleId),
    host: String(host),
    startedAt: slotOf(Number(time)),
    endedAt: Number(endedAt),
    players: Number(players),
    maxPlayers: Number(maxPlayers),
    peakPlayers: Number(peakPlayers),
  };
}

export function runLines(run: MatchRun): string[] {
  const { titleId, host, startedAt, endedAt, players, maxPlayers, peakPlayers } = run;
  const point = { tags: { titleId }, time: timeOfHost(startedAt, host) };
  const fields = { host, endedAt, players, maxPlayers, peakPlayers };
  return [...measurements(run).map((measurement) => lineOf({ measurement, ...point }, fields)), hostLine(run)];
}

/** Overwrites a run with one without an end, which no query finds, since deleting points is slow. */
export function removalLines(run: MatchRun): string[] {
  const { titleId, host, startedAt } = run;
  const point = { tags: { titleId }, time: timeOfHost(startedAt, host) };
  return [
    ...measurements(run).map((measurement) => lineOf({ measurement, ...point }, { endedAt: 0 })),
    hostLine({ ...run, endedAt: 0 }),
  ];
}

function measurements({ startedAt, endedAt }: MatchRun): string[] {
  return endedAt - startedAt >= LONG_SECONDS ? ['match_run', 'match_run_long'] : ['match_run'];
}
