import { type EpochSeconds, MATCH_GAP_SECONDS } from '@lobbystats/contracts';
import type { MatchSnapshot } from '../snapshots/snapshots.ts';

/** A host's unbroken run of snapshots, identified by title, host and start. A late snapshot may join two runs. */
export interface MatchRun {
  titleId: string;
  host: string;
  /** Slots of the first and the last snapshot. */
  startedAt: EpochSeconds;
  endedAt: EpochSeconds;
  players: number;
  maxPlayers: number;
  peakPlayers: number;
}

export interface RunChanges {
  put: MatchRun[];
  remove: MatchRun[];
}

/**
 * Adds snapshots to runs, independent of order and repetition: sorted by time and cut at gaps over {@link
 * MATCH_GAP_SECONDS}. `existing` must hold all runs of these hosts within that gap.
 *
 * @param existing all stored runs of the snapshots' hosts that end at most {@link MATCH_GAP_SECONDS} before the first
 * snapshot and begin at most that much after the last; further runs are ignored
 */
export function extendRuns(existing: readonly MatchRun[], snapshots: readonly MatchSnapshot[]): RunChanges {
  const changes: RunChanges = { put: [], remove: [] };
  const runs = Map.groupBy(existing, matchKey);
  for (const [key, seen] of Map.groupBy(snapshots, matchKey)) {
    const before = runs.get(key) ?? [];
    const after = new Set(joinRuns([...before, ...seen.map(runOf)]));
    for (const run of before) if (!after.delete(run)) changes.remove.push(run);
    changes.put.push(...after);
  }
  return changes;
}

/** Title IDs have a fixed length. */
function matchKey({ titleId, host }: { titleId: string; host: string }): string {
  return titleId + host;
}

function runOf({ slot, titleId, host, players, maxPlayers }: MatchSnapshot): MatchRun {
  return { titleId, host, startedAt: slot, endedAt: slot, players, maxPlayers, peakPlayers: players };
}

/** An unchanged run is returned as it is. */
function joinRuns(parts: MatchRun[]): MatchRun[] {
  parts.sort((a, b) => a.startedAt - b.startedAt);
  const joined: MatchRun[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last !== undefined && part.startedAt - last.endedAt <= MATCH_GAP_SECONDS) {
      joined[joined.length - 1] = join(last, part);
    } else joined.push(part);
  }
  return joined;
}

function join(earlier: MatchRun, later: MatchRun): MatchRun {
  if (later.endedAt <= earlier.endedAt) {
    return later.peakPlayers <= earlier.peakPlayers ? earlier : { ...earlier, peakPlayers: later.peakPlayers };
  }
  return {
    ...later,
    startedAt: earlier.startedAt,
    peakPlayers: Math.max(earlier.peakPlayers, later.peakPlayers),
  };
}

export interface MatchTotals {
  total: number;
  uniqueHosts: number;
  peakPlayers: number;
}

/** @param peakTogether most players in all open matches of one slot */
export function matchTotals(
  runs: readonly Pick<MatchRun, 'host' | 'peakPlayers'>[],
  peakTogether: number,
): MatchTotals {
  return {
    total: runs.length,
    uniqueHosts: new Set(runs.map(({ host }) => host)).size,
    peakPlayers: runs.reduce((peak, { peakPlayers }) => Math.max(peak, peakPlayers), peakTogether),
  };
}
