import type { EpochSeconds } from '@lobbystats/contracts';
import type { MatchSnapshot, SlotSnapshot } from '../slots/snapshots.ts';
import { matchEnd, readSlots, wasRead, type ReadSlots } from './read-slots.ts';

/** A host's unbroken run of snapshots, identified by title, host and start. A late slot may join or cut runs. */
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
 * Derives the runs of hosts again from their stored runs and new snapshots, independent of order and repetition.
 *
 * @param existing all stored runs that end at most {@link MATCH_END_MAX_SECONDS} before the first new slot and begin at
 * most that much after the last
 * @param snapshots of the new slots, and all those of the runs in `interrupted`
 * @param interrupted runs that new slots without their host may cut; see {@link interruptedRuns}
 * @param reads of the time between all of these
 */
export function deriveRuns(
  existing: readonly MatchRun[],
  snapshots: readonly MatchSnapshot[],
  reads: ReadSlots,
  interrupted: readonly MatchRun[] = [],
): RunChanges {
  const before = byText(existing);
  const whole = byText(existing);
  for (const run of interrupted) whole.delete(textOf(run));
  const parts = Map.groupBy([...whole.values(), ...snapshots.map(runOf)], matchKey);
  const after = byText([...parts.values()].flatMap((own) => joinRuns(own, reads)));
  return {
    put: [...after].flatMap(([text, run]) => (before.has(text) ? [] : run)),
    remove: [...before].flatMap(([text, run]) => (after.has(text) ? [] : run)),
  };
}

/** Stored runs around new slots that were read without their hosts: only their snapshots tell whether they go on. */
export function interruptedRuns(existing: readonly MatchRun[], slots: readonly SlotSnapshot[]): MatchRun[] {
  const reads = readSlots(slots);
  const seen = new Set(slots.flatMap(({ matches }) => matches.map((match) => `${match.slot} ${matchKey(match)}`)));
  return existing.filter((run) =>
    slots.some(
      ({ site: { slot } }) =>
        run.startedAt < slot &&
        slot < run.endedAt &&
        wasRead(reads, run.titleId, slot) &&
        !seen.has(`${slot} ${matchKey(run)}`),
    ),
  );
}

/** Title IDs have a fixed length. */
function matchKey({ titleId, host }: { titleId: string; host: string }): string {
  return titleId + host;
}

function byText(runs: readonly MatchRun[]): Map<string, MatchRun> {
  return new Map(runs.map((run) => [textOf(run), run]));
}

function textOf(run: MatchRun): string {
  const { startedAt, endedAt, players, maxPlayers, peakPlayers } = run;
  return `${[startedAt, endedAt, players, maxPlayers, peakPlayers].join(' ')} ${matchKey(run)}`;
}

function runOf({ slot, titleId, host, players, maxPlayers }: MatchSnapshot): MatchRun {
  return { titleId, host, startedAt: slot, endedAt: slot, players, maxPlayers, peakPlayers: players };
}

function joinRuns(parts: MatchRun[], reads: ReadSlots): MatchRun[] {
  parts.sort((a, b) => a.startedAt - b.startedAt);
  const joined: MatchRun[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last !== undefined && part.startedAt <= matchEnd(reads, last).slot)
      joined[joined.length - 1] = join(last, part);
    else joined.push(part);
  }
  return joined;
}

function join(earlier: MatchRun, later: MatchRun): MatchRun {
  const peakPlayers = Math.max(earlier.peakPlayers, later.peakPlayers);
  const { startedAt } = earlier;
  return later.endedAt <= earlier.endedAt ? { ...earlier, peakPlayers } : { ...later, startedAt, peakPlayers };
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
