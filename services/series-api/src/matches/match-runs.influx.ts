import { slotOf, compareCodePoints, type EpochSeconds } from '@lobbystats/contracts';
import { matchTotals, type MatchRun } from './match-runs.ts';
import type { Period } from '../snapshots/periods.ts';
import type { MatchSnapshot } from '../snapshots/snapshots.ts';
import { hostLine } from './host-lines.influx.ts';
import { lineOf, timeOfHost } from '../snapshots/points.influx.ts';
import { ofTitle } from '../titles/titles.influx.ts';
import {
  IN_PERIOD,
  periodValues,
  instantValue,
  slotAfterInstant,
  type Row,
} from '../database/query-response.influx.ts';
import type { StoreParts } from '../database/store-parts.influx.ts';
import type { SeriesStore } from '../database/series-store.ts';

/**
 * Long runs have a second measurement: finding the runs that span an instant then needs only the last hours' points.
 */
const LONG_SECONDS: EpochSeconds = 6 * 3600;

const COLUMNS = 'titleId::tag, host, endedAt, players, maxPlayers, peakPlayers';

/** Runs that overlap `from` to `to`. */
export async function readRuns(
  { influx, horizon }: Pick<StoreParts, 'influx' | 'horizon'>,
  { from, to, titleId }: { from: EpochSeconds; to: EpochSeconds; titleId?: string },
): Promise<MatchRun[]> {
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
}

export function runLines(run: MatchRun): string[] {
  const { titleId, host, startedAt, endedAt, players, maxPlayers, peakPlayers } = run;
  const point = { titleId, host, time: timeOfHost(startedAt, host) };
  const fields = { endedAt, players, maxPlayers, peakPlayers };
  return [...measurements(startedAt, endedAt).map((measurement) => lineOf(measurement, point, fields)), hostLine(run)];
}

/** Overwrites a run with one without an end, which no query finds, since deleting points is slow. */
export function removalLines(run: MatchRun): string[] {
  const { titleId, host, startedAt, endedAt } = run;
  const point = { titleId, time: timeOfHost(startedAt, host) };
  return [
    ...measurements(startedAt, endedAt).map((measurement) => lineOf(measurement, point, { endedAt: 0 })),
    hostLine({ ...run, endedAt: 0 }),
  ];
}

function measurements(startedAt: EpochSeconds, endedAt: EpochSeconds): string[] {
  return endedAt - startedAt >= LONG_SECONDS ? ['match_run', 'match_run_long'] : ['match_run'];
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

export function matchReads(parts: StoreParts) {
  const { influx, horizon } = parts;
  const runsOf = async (titleId: string, { after, until }: Period): Promise<MatchRun[]> => {
    const stored = await readRuns(parts, { from: after + 1, to: until, titleId });
    return (await runsAsOf(parts, stored, titleId, until)).filter(({ endedAt }) => endedAt > after);
  };
  return {
    runsBetween: (from, to, titleId) => readRuns(parts, { from, to, ...(titleId !== undefined && { titleId }) }),
    matchSnapshots: (titleId, period) => matchSnapshots(parts, titleId, period),
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
      return Number(found?.[0]?.values[0]?.[1] ?? 0);
    },
    matches: async (titleId, period, { limit, offset }) => {
      const runs = await runsOf(titleId, period);
      runs.sort((a, b) => b.endedAt - a.endedAt || compareCodePoints(a.host, b.host));
      return { total: runs.length, matches: runs.slice(offset, offset + limit) };
    },
    matchTotals: async (titleId, period) => {
      const [runs, [peak]] = await Promise.all([
        runsOf(titleId, period),
        influx.query('snapshots', `SELECT max(lobbyPlayers) FROM title WHERE titleId = $titleId AND ${IN_PERIOD}`, {
          titleId,
          ...periodValues(period, horizon.snapshots()),
        }),
      ]);
      return matchTotals(runs, Number(peak?.[0]?.values[0]?.[1] ?? 0));
    },
  } satisfies Partial<SeriesStore>;
}

/**
 * Runs as of an instant. Later parts exist only when the network's clock is ahead; they are then rebuilt from snapshots.
 */
async function runsAsOf(
  parts: Pick<StoreParts, 'influx' | 'horizon'>,
  runs: MatchRun[],
  titleId: string,
  until: EpochSeconds,
): Promise<MatchRun[]> {
  const goingOn = runs.filter(({ endedAt }) => endedAt > until);
  if (goingOn.length === 0) return runs;
  const first = goingOn.reduce((earliest, { startedAt }) => Math.min(earliest, startedAt), until);
  const seen = Map.groupBy(await matchSnapshots(parts, titleId, { after: first - 1, until }), ({ host }) => host);
  return runs.map((run) => {
    if (run.endedAt <= until) return run;
    const own = (seen.get(run.host) ?? []).filter(({ slot }) => slot >= run.startedAt);
    const { slot: endedAt, players, maxPlayers } = own.at(-1) ?? { ...run, slot: run.startedAt };
    const peakPlayers = own.reduce((peak, match) => Math.max(peak, match.players), 0);
    return { ...run, endedAt, players, maxPlayers, peakPlayers };
  });
}

async function matchSnapshots(
  { influx, horizon }: Pick<StoreParts, 'influx' | 'horizon'>,
  titleId: string,
  { after, until }: Period,
): Promise<MatchSnapshot[]> {
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
}
