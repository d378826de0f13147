import { compareCodePoints, type EpochSeconds, slotOf } from '@lobbystats/contracts';
import type { MatchRun } from '../../domain/match-runs.ts';
import type { SeriesStore } from '../../domain/series-store.ts';
import { readRuns } from './match-runs.ts';
import { instantValue, slotAfterInstant } from './query-times.ts';
import type { StoreParts } from './series-store-parts.ts';

export function matchReads(parts: StoreParts) {
  const { influx, horizon } = parts;
  return {
    runsBetween: (from, to) => readRuns(parts, { from, to }),
    matches: async (titleId, { after, until }, { limit, offset }) => {
      const stored = await readRuns(parts, { from: after + 1, to: until, titleId });
      const runs = (await runsAsOf(parts, stored, titleId, until)).filter(({ endedAt }) => endedAt > after);
      runs.sort((a, b) => b.endedAt - a.endedAt || compareCodePoints(a.host, b.host));
      return { total: runs.length, matches: runs.slice(offset, offset + limit) };
    },
    matchTotals: async (titleId, { after, until }) => {
      const values = {
        titleId,
        after: instantValue(Math.max(after, horizon.snapshots())),
        until: instantValue(until),
      };
      const peaks = 'SELECT max(lobbyPlayers) FROM title WHERE titleId = $titleId AND time > $after AND time <= $until';
      const [runs, [peak]] = await Promise.all([
        readRuns(parts, { from: after + 1, to: until, titleId }),
        influx.query('snapshots', peaks, values),
      ]);
      return {
        matches: runs.length,
        hosts: new Set(runs.map(({ host }) => host)).size,
        peakPlayers: Number(peak?.[0]?.values[0]?.[1] ?? 0),
      };
    },
  } satisfies Partial<SeriesStore>;
}

/**
 * Runs as of an instant. Later parts exist only when the network's clock is ahead; they are then rebuilt from snapshots.
 */
async function runsAsOf(
  { influx }: StoreParts,
  runs: MatchRun[],
  titleId: string,
  until: EpochSeconds,
): Promise<MatchRun[]> {
  const goingOn = runs.filter(({ endedAt }) => endedAt > until);
  if (goingOn.length === 0) return runs;
  const first = goingOn.reduce((earliest, { startedAt }) => Math.min(earliest, startedAt), until);
  const [series = []] = await influx.query(
    'snapshots',
    'SELECT host, players, maxPlayers FROM match WHERE titleId = $titleId AND time >= $first AND time < $end',
    { titleId, first: instantValue(first), end: instantValue(slotAfterInstant(until)) },
  );
  const seen = Map.groupBy(
    series.flatMap(({ values }) => values),
    ([, host]) => String(host),
  );
  return runs.map((run) => {
    if (run.endedAt <= until) return run;
    const own = (seen.get(run.host) ?? []).filter(([time]) => Number(time) >= run.startedAt);
    const [time, , players, maxPlayers] = own.at(-1) ?? [run.startedAt, run.host, run.players, run.maxPlayers];
    return {
      ...run,
      endedAt: slotOf(Number(time)),
      players: Number(players),
      maxPlayers: Number(maxPlayers),
      peakPlayers: own.reduce((peak, [, , count]) => Math.max(peak, Number(count)), 0),
    };
  });
}
