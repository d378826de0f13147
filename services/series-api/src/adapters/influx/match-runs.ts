import { type EpochSeconds, slotOf } from '@lobbystats/contracts';
import type { MatchRun } from '../../domain/match-runs.ts';
import { lineOf, timeOfHost } from './points.ts';
import type { Row } from './query-response.ts';
import { instantValue, slotAfterInstant } from './query-times.ts';
import type { StoreParts } from './series-store-parts.ts';

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
  const having = `endedAt >= $ended${titleId === undefined ? '' : ' AND titleId = $titleId'}`;
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
  return found.flat().flatMap(({ values }) => values.map(run));
}

export function runLines({ titleId, host, startedAt, endedAt, players, maxPlayers, peakPlayers }: MatchRun): string[] {
  const point = { titleId, host, time: timeOfHost(startedAt, host) };
  const fields = { endedAt, players, maxPlayers, peakPlayers };
  return measurements(startedAt, endedAt).map((measurement) => lineOf(measurement, point, fields));
}

/** Overwrites a run with one without an end, which no query finds, since deleting points is slow. */
export function removalLines({ titleId, host, startedAt, endedAt }: MatchRun): string[] {
  const point = { titleId, time: timeOfHost(startedAt, host) };
  return measurements(startedAt, endedAt).map((measurement) => lineOf(measurement, point, { endedAt: 0 }));
}

function measurements(startedAt: EpochSeconds, endedAt: EpochSeconds): string[] {
  return endedAt - startedAt >= LONG_SECONDS ? ['match_run', 'match_run_long'] : ['match_run'];
}

function run([time, titleId, host, endedAt, players, maxPlayers, peakPlayers]: Row): MatchRun {
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
