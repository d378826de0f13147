import type { EpochSeconds } from '@lobbystats/contracts';
import { clusterSlots } from '../matches/match-changes.ts';
import { deriveRuns, interruptedRuns, type MatchRun, type RunChanges } from '../matches/match-runs.ts';
import { matchEnd, MATCH_END_MAX_SECONDS, readSlots, storedReadSlots, type ReadSlots } from '../matches/read-slots.ts';
import type { RunQueries } from '../matches/runs.queries.ts';
import type { SlotRange } from '../series/periods.ts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import type { MatchSnapshot, SlotSnapshot } from '../slots/snapshots.ts';
import type { CommitQueries } from './commits.queries.ts';

/** The end of a match that was published. */
export type RetractedEnd = Pick<MatchRun, 'titleId' | 'host' | 'endedAt'>;

export type MatchStore = SlotQueries & RunQueries & CommitQueries;

/** Stores new slots, and returns ends of matches that are none any more. */
export async function commitSlots(store: MatchStore, slots: readonly SlotSnapshot[]): Promise<RetractedEnd[]> {
  const { runs, retracted } = await deriveAround(store, slots);
  await store.commit({ slots, runs });
  return retracted;
}

/** Derives the matches around new slots, or around withdrawn ones, which count as not stored. */
export async function deriveAround(
  store: MatchStore,
  slots: readonly SlotSnapshot[],
  withdrawn?: SlotRange,
): Promise<{ runs: RunChanges; retracted: RetractedEnd[] }> {
  const isLeft = (slot: EpochSeconds) => withdrawn === undefined || slot < withdrawn.from || slot > withdrawn.to;
  const around: MatchRun[] = [];
  const snapshots = slots.flatMap(({ matches }) => matches);
  const before = new Map<EpochSeconds, ReadonlySet<string> | undefined>();
  const interrupted: MatchRun[] = [];
  const changed = withdrawn === undefined ? slots.map(({ site }) => site.slot) : [withdrawn.from, withdrawn.to];
  for (const { first, last } of clusterSlots(changed)) {
    const [from, to] = [first - MATCH_END_MAX_SECONDS, last + MATCH_END_MAX_SECONDS];
    const runs = await store.runsBetween(from, to);
    around.push(...runs);
    const cut =
      withdrawn === undefined
        ? interruptedRuns(
            runs,
            slots.filter(({ site: { slot } }) => first <= slot && slot <= last),
          )
        : runs.filter(({ startedAt, endedAt }) => startedAt <= last && endedAt >= first);
    interrupted.push(...cut);
    const begin = cut.reduce((earliest, { startedAt }) => Math.min(earliest, startedAt), from);
    const end = cut.reduce((latest, { endedAt }) => Math.max(latest, endedAt), to);
    for (const [slot, titles] of await storedReadSlots(store, begin, end)) before.set(slot, titles);
    snapshots.push(...(await snapshotsOf(store, cut)).filter(({ slot }) => isLeft(slot)));
  }
  const reads = new Map([...before].filter(([slot]) => isLeft(slot)));
  for (const [slot, titles] of readSlots(slots)) reads.set(slot, titles);
  const runs = deriveRuns(around, snapshots, reads, interrupted);
  const staying = new Set(runs.put.concat(around.filter((run) => !runs.remove.includes(run))).map(endOf));
  const gone = runs.remove.filter((run) => !staying.has(endOf(run)));
  return { runs, retracted: await publishedEnds(store, gone, before) };
}

function endOf({ host, endedAt }: MatchRun): string {
  return `${endedAt} ${host}`;
}

/** Ends that slots stored before had proved. */
async function publishedEnds(store: MatchStore, runs: readonly MatchRun[], before: ReadSlots): Promise<RetractedEnd[]> {
  const newest = runs.length === 0 ? null : await store.slotBefore(Number.MAX_SAFE_INTEGER);
  return runs
    .filter((run) => matchEnd(before, run).slot <= (newest ?? -1))
    .map(({ titleId, host, endedAt }) => ({ titleId, host, endedAt }));
}

async function snapshotsOf(store: MatchStore, runs: readonly MatchRun[]): Promise<MatchSnapshot[]> {
  const snapshots: MatchSnapshot[] = [];
  for (const { titleId, host, startedAt, endedAt } of runs) {
    const ofTitle = await store.matchSnapshots(titleId, { after: startedAt - 1, until: endedAt });
    snapshots.push(...ofTitle.filter((match) => match.host === host));
  }
  return snapshots;
}
