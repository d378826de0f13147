import { type EpochSeconds, formatTimestamp, parseInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import {
  endedMatches,
  openedMatches,
  clusterSlots,
  type EndedMatches,
  type OpenedMatches,
  type SlotCluster,
} from '../matches/match-changes.ts';
import { deriveRuns, interruptedRuns, type MatchRun } from '../matches/match-runs.ts';
import { MATCH_END_MAX_SECONDS, readSlots, storedReadSlots } from '../matches/read-slots.ts';
import { dayOf, retained } from './periods.ts';
import { rollUp, type RollupStore } from '../days/rollups.ts';
import type { SeriesReader, SeriesWriter } from '../database/series-store.ts';
import {
  readSlot,
  type SiteSnapshot,
  type SlotObservation,
  type MatchSnapshot,
  type SlotSnapshot,
} from './snapshots.ts';

/** Largest lead of the network's clock, in seconds. */
export const CLOCK_TOLERANCE_SECONDS = SLOT_SECONDS;

export interface ObservedSlot {
  observation: SlotObservation;
  past: boolean;
}

export interface StoredSlot extends Pick<SiteSnapshot, 'slot' | 'online' | 'lobbies'> {
  past: boolean;
}

export interface EndedFact extends Omit<EndedMatches, 'isSeen'> {
  past: boolean;
}

export interface StoredBatch {
  stored: number;
  repeated: number;
  expired: number;
  points: number;
  slots: StoredSlot[];
  ended: EndedFact[];
  opened: OpenedMatches[];
}

/**
 * Stores each slot once. Repetitions change nothing but publish the same facts, since a crash may have come between.
 * Slots beyond the retention are skipped; a slot too far ahead makes the batch invalid.
 *
 * @throws AppError `invalid` when a slot lies further ahead than {@link CLOCK_TOLERANCE_SECONDS} or a count is above
 * the maximum; then nothing of the batch is stored
 */
export async function storeSlots(
  store: RollupStore & MatchStore,
  batch: readonly ObservedSlot[],
  now: EpochSeconds,
): Promise<StoredBatch> {
  const { bySlot, expired } = groupBySlot(batch, now);
  const clusters = clusterSlots(bySlot.keys());
  const sites = await storedSites(store, clusters);

  const repeated = [...sites.values()].filter(({ slot }) => bySlot.has(slot));
  // A readable slot may not be durable yet, and its message may be the only copy.
  if (repeated.length > 0) await store.confirm(repeated);
  const fresh = [...bySlot].filter(([slot]) => !sites.has(slot)).map(([, { observation }]) => readSlot(observation));
  for (const slots of splitIntoCommits(fresh)) await commitSlots(store, slots);
  for (const { site } of fresh) sites.set(site.slot, site);
  const [ended, opened] = await Promise.all([
    endedFacts(store, clusters, bySlot),
    openedLiveMatches(store, bySlot),
    rollUp(store, affectedDays(bySlot.keys())),
  ]);
  return {
    stored: fresh.length,
    repeated: batch.length - fresh.length - expired,
    expired,
    points: fresh.reduce((sum, { titles, matches }) => sum + titles.length + matches.length, 0),
    slots: [...sites.values()].flatMap(({ slot, online, lobbies }) => {
      const observed = bySlot.get(slot);
      return observed ? { slot, online, lobbies, past: observed.past } : [];
    }),
    ended,
    opened,
  };
}

type MatchStore = SeriesWriter & Pick<SeriesReader, 'titlesIn'>;

async function endedFacts(
  store: MatchStore,
  clusters: readonly SlotCluster[],
  bySlot: ReadonlyMap<EpochSeconds, ObservedSlot>,
): Promise<EndedFact[]> {
  const ended: EndedFact[] = [];
  for (const cluster of clusters) {
    const pastCluster = cluster.slots.every((slot) => bySlot.get(slot)?.past);
    for (const { slot, matches, isSeen } of await endedMatches(store, cluster)) {
      // An outage's end shows what is over for long: no news.
      ended.push({ slot, matches, past: !isSeen || (bySlot.get(slot)?.past ?? pastCluster) });
    }
  }
  return ended;
}

async function openedLiveMatches(
  store: MatchStore,
  bySlot: ReadonlyMap<EpochSeconds, ObservedSlot>,
): Promise<OpenedMatches[]> {
  const live = new Map([...bySlot].flatMap(([slot, { observation, past }]) => (past ? [] : [[slot, observation]])));
  const opened: OpenedMatches[] = [];
  for (const cluster of clusterSlots(live.keys())) {
    const snapshots = (slot: EpochSeconds) => {
      const observation = live.get(slot);
      return observation === undefined ? [] : readSlot(observation).matches;
    };
    opened.push(...(await openedMatches(store, cluster, snapshots)));
  }
  return opened;
}

/** The first observation counts; live if any is. */
function groupBySlot(batch: readonly ObservedSlot[], now: EpochSeconds) {
  const { after } = retained(now);
  const bySlot = new Map<EpochSeconds, ObservedSlot>();
  let expired = 0;
  for (const { observation, past } of batch) {
    const slot = parseInstant(observation.slot);
    if (slot > now + CLOCK_TOLERANCE_SECONDS) {
      throw new AppError('invalid', `Slot ${observation.slot} lies in the future: it is ${formatTimestamp(now)}`);
    }
    const first = bySlot.get(slot);
    if (slot <= after) expired += 1;
    else if (first === undefined) bySlot.set(slot, { observation, past });
    else first.past &&= past;
  }
  return { bySlot, expired };
}

async function storedSites(
  store: SeriesWriter,
  clusters: readonly SlotCluster[],
): Promise<Map<EpochSeconds, SiteSnapshot>> {
  const sites = new Map<EpochSeconds, SiteSnapshot>();
  for (const { first, last } of clusters) {
    for (const site of await store.siteSnapshots({ after: first - 1, until: last })) sites.set(site.slot, site);
  }
  return sites;
}

/** 256 slots of 200 titles and 80 matches. A larger network has fewer slots in a commit, which then takes as long. */
const POINTS_PER_COMMIT = 75_000;

function splitIntoCommits(slots: readonly SlotSnapshot[]): SlotSnapshot[][] {
  const commits: SlotSnapshot[][] = [];
  let points = Infinity;
  for (const slot of slots) {
    const more = slot.titles.length + slot.matches.length;
    if (points + more > POINTS_PER_COMMIT) {
      commits.push([]);
      points = 0;
    }
    commits.at(-1)?.push(slot);
    points += more;
  }
  return commits;
}

export async function commitSlots(store: MatchStore, slots: readonly SlotSnapshot[]): Promise<void> {
  const around: MatchRun[] = [];
  const snapshots = slots.flatMap(({ matches }) => matches);
  const reads = new Map<EpochSeconds, ReadonlySet<string> | undefined>();
  const interrupted: MatchRun[] = [];
  for (const { first, last } of clusterSlots(slots.map(({ site }) => site.slot))) {
    const [from, to] = [first - MATCH_END_MAX_SECONDS, last + MATCH_END_MAX_SECONDS];
    const runs = await store.runsBetween(from, to);
    around.push(...runs);
    const cut = interruptedRuns(
      runs,
      slots.filter(({ site: { slot } }) => first <= slot && slot <= last),
    );
    interrupted.push(...cut);
    const begin = cut.reduce((earliest, { startedAt }) => Math.min(earliest, startedAt), from);
    const end = cut.reduce((latest, { endedAt }) => Math.max(latest, endedAt), to);
    for (const [slot, titles] of await storedReadSlots(store, begin, end)) reads.set(slot, titles);
    snapshots.push(...(await snapshotsOf(store, cut)));
  }
  for (const [slot, titles] of readSlots(slots)) reads.set(slot, titles);
  await store.commit({ slots, runs: deriveRuns(around, snapshots, reads, interrupted) });
}

async function snapshotsOf(store: MatchStore, runs: readonly MatchRun[]): Promise<MatchSnapshot[]> {
  const snapshots: MatchSnapshot[] = [];
  for (const { titleId, host, startedAt, endedAt } of runs) {
    const ofTitle = await store.matchSnapshots(titleId, { after: startedAt - 1, until: endedAt });
    snapshots.push(...ofTitle.filter((match) => match.host === host));
  }
  return snapshots;
}

/** The slot's day, and the next one if the slot joins or cuts a match that goes on there. */
function affectedDays(slots: Iterable<EpochSeconds>): EpochSeconds[] {
  const days = new Set<EpochSeconds>();
  for (const slot of slots) days.add(dayOf(slot)).add(dayOf(slot + MATCH_END_MAX_SECONDS));
  return [...days].sort((a, b) => a - b);
}
