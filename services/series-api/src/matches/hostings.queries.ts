import { hash } from 'node:crypto';
import { nameKey, slotOf } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { instantValue, slotAfterInstant } from '../database/influxql.ts';
import { lineOf, timeOfHost } from '../database/lines.ts';
import type { InfluxSeries } from '../database/open.influx.ts';
import type { Period } from '../series/periods.ts';
import type { MatchRun } from './match-runs.ts';

export type HostingQueries = ReturnType<typeof hostingsInSqlite>;

/** Some matches of a host: their number, the first begin and the last end. */
export interface Hosting extends Pick<MatchRun, 'host' | 'startedAt' | 'endedAt'> {
  matches: number;
}

export function hostingsInSqlite(store: SqliteStore) {
  return {
    /** Matches of a host, by `nameKey`, that overlap a period; grouped in any way, in no order. */
    hostings: async (playerKey: string, { after, until }: Period) =>
      store.all<Hosting>(
        `SELECT host.name AS host, count(*) AS matches, min(started_at) AS startedAt, max(ended_at) AS endedAt
          FROM host CROSS JOIN match_run ON host_id = host.id
          WHERE player_key = ? AND ended_at > ? AND started_at <= ? GROUP BY host.id`,
        playerKey,
        after,
        until,
      ),
  };
}

export function hostingsInInflux({ influx, horizon }: InfluxSeries) {
  return {
    hostings: async (playerKey, { after, until }) => {
      const [series = []] = await influx.query(
        'snapshots',
        'SELECT host, endedAt FROM host_run WHERE hostHash = $hostHash AND endedAt > $after AND time >= $oldest AND time < $end',
        {
          hostHash: hostHash(playerKey),
          after: Math.max(after, horizon.snapshots()),
          oldest: instantValue(horizon.retained() + 1),
          end: instantValue(slotAfterInstant(until)),
        },
      );
      return series
        .flatMap(({ values }) => values)
        .filter(([, host]) => nameKey(String(host)) === playerKey)
        .map(([time, host, endedAt]) => ({
          host: String(host),
          matches: 1,
          startedAt: slotOf(Number(time)),
          endedAt: Number(endedAt),
        }));
    },
  } satisfies HostingQueries;
}

/** One of 256 tag values: a host's matches are found among 1/256 of all, and hosts need no series of their own. */
function hostHash(playerKey: string): string {
  return hash('sha1', playerKey).slice(0, 2);
}

/** A copy of a run for look-ups by host. `endedAt` 0: removed. */
export function hostLine({
  titleId,
  host,
  startedAt,
  endedAt,
}: Omit<MatchRun, 'players' | 'maxPlayers' | 'peakPlayers'>): string {
  const time = timeOfHost(startedAt, `${titleId} ${host}`);
  return lineOf({ measurement: 'host_run', tags: { hostHash: hostHash(nameKey(host)) }, time }, { host, endedAt });
}
