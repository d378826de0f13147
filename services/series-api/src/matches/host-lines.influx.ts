import { hash } from 'node:crypto';
import { nameKey } from '@lobbystats/contracts';
import type { MatchRun } from './match-runs.ts';
import { lineOf, timeOfHost } from '../snapshots/points.influx.ts';

/** One of 256 tag values: a host's matches are found among 1/256 of all, and hosts need no series of their own. */
export function hostHash(playerKey: string): string {
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
  return lineOf('host_run', { hostHash: hostHash(nameKey(host)), host, time }, { endedAt });
}
