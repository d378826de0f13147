import { DAY_SECONDS, compareCodePoints, MATCH_GAP_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { SeriesWriter } from '../database/series-store.ts';
import type { MatchSnapshot } from '../snapshots/snapshots.ts';
import type { MatchRun } from './match-runs.ts';

export interface SlotCluster {
  first: EpochSeconds;
  last: EpochSeconds;
  slots: EpochSeconds[];
}

/** Groups slots at least a day apart, so that a batch with an old and a new slot doesn't read the time between. */
export function clusterSlots(slots: Iterable<EpochSeconds>): SlotCluster[] {
  const clusters: SlotCluster[] = [];
  for (const slot of [...slots].sort((a, b) => a - b)) {
    const cluster = clusters.at(-1);
    if (cluster === undefined || slot - cluster.last >= DAY_SECONDS) {
      clusters.push({ first: slot, last: slot, slots: [slot] });
    } else {
      cluster.last = slot;
      cluster.slots.push(slot);
    }
  }
  return clusters;
}

/** Matches whose first snapshot is in this slot. */
export interface OpenedMatches {
  slot: EpochSeconds;
  matches: MatchSnapshot[];
}

/**
 * Runs that begin in stored slots, as of their first snapshot.
 *
 * @param snapshots the matches observed in a slot
 */
export async function openedMatches(
  store: Pick<SeriesWriter, 'runsBetween'>,
  { first, last, slots }: SlotCluster,
  snapshots: (slot: EpochSeconds) => readonly MatchSnapshot[],
): Promise<OpenedMatches[]> {
  const runs = await store.runsBetween(first, last);
  const begun = new Set(runs.map(({ titleId, host, startedAt }) => keyOf(titleId, host, startedAt)));
  return slots
    .map((slot) => ({
      slot,
      matches: snapshots(slot).filter(({ titleId, host }) => begun.has(keyOf(titleId, host, slot))),
    }))
    .filter(({ matches }) => matches.length > 0);
}

/** Title IDs have a fixed length. */
function keyOf(titleId: string, host: string, startedAt: EpochSeconds): string {
  return `${startedAt} ${titleId}${host}`;
}

export interface EndedMatches {
  slot: EpochSeconds;
  matches: MatchRun[];
}

/**
 * The first stored slot more than {@link MATCH_GAP_SECONDS} after a match proves its end. A late slot can change
 * matches, so the affected ones are published again. Derived from stored data alone, so it can repeat after a crash.
 */
export async function endedMatches(
  store: Pick<SeriesWriter, 'runsBetween' | 'slotBefore' | 'slotAfter' | 'siteSnapshots'>,
  cluster: SlotCluster,
): Promise<EndedMatches[]> {
  const before = await store.slotBefore(cluster.first);
  const runs = await store.runsBetween((before ?? cluster.first) - MATCH_GAP_SECONDS, cluster.last);
  const reach = runs.reduce((latest, run) => Math.max(latest, run.endedAt), cluster.last) + MATCH_GAP_SECONDS;
  const stored = (await store.siteSnapshots({ after: cluster.first - 1, until: reach })).map(({ slot }) => slot);
  const next = await store.slotAfter(reach);
  if (next !== null) stored.push(next);

  const own = new Set(cluster.slots);
  const ended = new Map<EpochSeconds, MatchRun[]>();
  for (const run of runs) {
    const proof = firstAfter(stored, run.endedAt + MATCH_GAP_SECONDS);
    if (proof === undefined || !(own.has(proof) || hasSnapshotIn(run, cluster.slots))) continue;
    const matches = ended.get(proof) ?? [];
    matches.push(run);
    ended.set(proof, matches);
  }
  return [...ended]
    .map(([slot, matches]) => ({ slot, matches: matches.sort(byTitleAndHost) }))
    .sort((a, b) => a.slot - b.slot);
}

function hasSnapshotIn(run: MatchRun, slots: readonly EpochSeconds[]): boolean {
  const first = firstAfter(slots, run.startedAt - 1);
  return first !== undefined && first <= run.endedAt;
}

function firstAfter(slots: readonly EpochSeconds[], instant: EpochSeconds): EpochSeconds | undefined {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((slots[middle] ?? Infinity) > instant) high = middle;
    else low = middle + 1;
  }
  return slots[low];
}

function byTitleAndHost(a: MatchRun, b: MatchRun): number {
  return compareCodePoints(a.titleId, b.titleId) || compareCodePoints(a.host, b.host) || a.startedAt - b.startedAt;
}
