import { DAY_SECONDS, compareCodePoints, type EpochSeconds } from '@lobbystats/contracts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import type { MatchSnapshot } from '../slots/snapshots.ts';
import type { MatchRun } from './match-runs.ts';
import { isReadBefore, matchEnd, MATCH_END_MAX_SECONDS, storedReadSlots } from './read-slots.ts';
import type { RunQueries } from './runs.queries.ts';

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
 * Runs that begin in stored slots, as of their first snapshot. Those of a title's first slot, also after an outage of more
 * than an hour, are left out: they may have been open for long.
 *
 * @param snapshots the matches observed in a slot
 */
export async function openedMatches(
  store: RunQueries & SlotQueries,
  { first, last, slots }: SlotCluster,
  snapshots: (slot: EpochSeconds) => readonly MatchSnapshot[],
): Promise<OpenedMatches[]> {
  const runs = await store.runsBetween(first, last);
  const reads = await storedReadSlots(store, first - MATCH_END_MAX_SECONDS, last);
  const news = runs.filter(({ titleId, startedAt }) => isReadBefore(reads, titleId, startedAt));
  const begun = new Set(news.map(({ titleId, host, startedAt }) => keyOf(titleId, host, startedAt)));
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
  /** Slots without their hosts ended them; else an outage of more than an hour did. */
  isSeen: boolean;
  matches: MatchRun[];
}

/**
 * The first stored slot from a match's end on proves it. A late slot can change matches, so those that it is within, or before by what one
 * may be without its host, are published again. Derived from stored data alone, so it can repeat after a crash.
 */
export async function endedMatches(store: RunQueries & SlotQueries, cluster: SlotCluster): Promise<EndedMatches[]> {
  const before = await store.slotBefore(cluster.first);
  const runs = await store.runsBetween(
    (before ?? cluster.first) - MATCH_END_MAX_SECONDS,
    cluster.last + MATCH_END_MAX_SECONDS,
  );
  const [from, until] = runs.reduce(
    ([earliest, latest], { endedAt }) => [Math.min(earliest, endedAt), Math.max(latest, endedAt)],
    [cluster.first, cluster.last],
  );
  const reach = until + MATCH_END_MAX_SECONDS;
  const reads = await storedReadSlots(store, from, reach);
  const stored = [...reads.keys()];
  const next = await store.slotAfter(reach);
  if (next !== null) stored.push(next);

  const ended: EndedMatches[] = [];
  for (const run of runs) {
    const { slot: end, isSeen } = matchEnd(reads, run);
    const slot = firstAfter(stored, end - 1);
    const own = firstAfter(cluster.slots, run.startedAt - MATCH_END_MAX_SECONDS - 1);
    if (slot === undefined || own === undefined || own > slot) continue;
    const fact = ended.find((other) => other.slot === slot && other.isSeen === isSeen);
    if (fact === undefined) ended.push({ slot, isSeen, matches: [run] });
    else fact.matches.push(run);
  }
  return ended
    .map(({ matches, ...fact }) => ({ ...fact, matches: matches.sort(byTitleAndHost) }))
    .sort((a, b) => a.slot - b.slot);
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
