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
import { affectedDays, rollUp } from '../days/rollups.ts';
import { retained, type SlotRange } from '../series/periods.ts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import { readSlot, type SiteSnapshot, type SlotObservation, type SlotSnapshot } from '../slots/snapshots.ts';
import { commitSlots, type MatchStore, type RetractedEnd } from './commit-slots.ts';
import { slotsOf, withdrawSlots, type WithdrawalStore } from './withdraw-slots.ts';

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
  /** Copies of withdrawn slots. */
  withdrawn: number;
  points: number;
  slots: StoredSlot[];
  ended: EndedFact[];
  /** A crash before they are published loses them: their hosts then have a session too many. */
  retracted: RetractedEnd[];
  opened: OpenedMatches[];
}

/**
 * Stores each slot once. Repetitions change nothing but publish the same facts, since a crash may have come between. A
 * copy of a withdrawn slot is stored only if it replaces it. Slots beyond the retention are skipped; a slot too far ahead makes the batch invalid.
 *
 * @throws AppError `invalid` when a slot lies further ahead than {@link CLOCK_TOLERANCE_SECONDS} or a count is above
 * the maximum; then nothing of the batch is stored
 */
export async function storeSlots(
  store: WithdrawalStore,
  batch: readonly ObservedSlot[],
  now: EpochSeconds,
): Promise<StoredBatch> {
  const { bySlot, expired } = groupBySlot(batch, now);
  const retracted = await replaceSlots(store, bySlot);
  const withdrawn = await leaveOutWithdrawn(store, bySlot);
  const clusters = clusterSlots(bySlot.keys());
  const sites = await storedSites(store, clusters);

  const repeated = [...sites.values()].filter(({ slot }) => bySlot.has(slot));
  // A readable slot may not be durable yet, and its message may be the only copy.
  if (repeated.length > 0) await store.confirm(repeated);
  const fresh = [...bySlot].filter(([slot]) => !sites.has(slot)).map(([, { observation }]) => readSlot(observation));
  for (const slots of splitIntoCommits(fresh)) retracted.push(...(await commitSlots(store, slots)));
  for (const { site } of fresh) sites.set(site.slot, site);
  const [ended, opened] = await Promise.all([
    endedFacts(store, clusters, bySlot),
    openedLiveMatches(store, bySlot),
    rollUp(store, affectedDays(bySlot.keys())),
  ]);
  return {
    stored: fresh.length,
    repeated: batch.length - fresh.length - expired - withdrawn,
    expired,
    withdrawn,
    points: fresh.reduce((sum, { titles, matches }) => sum + titles.length + matches.length, 0),
    slots: [...sites.values()].flatMap(({ slot, online, lobbies }) => {
      const observed = bySlot.get(slot);
      return observed ? { slot, online, lobbies, past: observed.past } : [];
    }),
    ended,
    retracted,
    opened,
  };
}

/** An observation that replaces withdraws what was stored until then, whatever order the messages have. */
async function replaceSlots(store: WithdrawalStore, bySlot: ReadonlyMap<EpochSeconds, ObservedSlot>) {
  const retracted: RetractedEnd[] = [];
  for (const [slot, { observation }] of bySlot) {
    if (observation.replaces === undefined) continue;
    retracted.push(...(await withdrawSlots(store, { from: slot, to: slot }, parseInstant(observation.replaces))));
  }
  return retracted;
}

/** Returns the number of slots that are left out. */
async function leaveOutWithdrawn(store: WithdrawalStore, bySlot: Map<EpochSeconds, ObservedSlot>): Promise<number> {
  const before = bySlot.size;
  for (const { first, last } of clusterSlots(bySlot.keys())) {
    for (const [slot, until] of await store.withdrawnSlots({ after: first - 1, until: last })) {
      const observed = bySlot.get(slot);
      if (observed !== undefined && replacedAt(observed) < until) bySlot.delete(slot);
    }
  }
  return before - bySlot.size;
}

function replacedAt({ observation: { replaces } }: ObservedSlot): EpochSeconds {
  return replaces === undefined ? 0 : parseInstant(replaces);
}

/**
 * Withdraws slots as of an instant. Repetitions change nothing.
 *
 * @returns the matches that end otherwise than was published
 */
export async function withdrawStored(
  store: WithdrawalStore,
  range: SlotRange,
  at: EpochSeconds,
): Promise<Pick<StoredBatch, 'ended' | 'retracted'>> {
  const retracted = await withdrawSlots(store, range, at);
  const cluster = { first: range.from, last: range.to, slots: slotsOf(range) };
  return { retracted, ended: await endedFacts(store, [cluster], new Map()) };
}

async function endedFacts(
  store: MatchStore,
  clusters: readonly SlotCluster[],
  bySlot: ReadonlyMap<EpochSeconds, ObservedSlot>,
): Promise<EndedFact[]> {
  const ended: EndedFact[] = [];
  for (const cluster of clusters) {
    const pastCluster = cluster.slots.every((slot) => bySlot.get(slot)?.past !== false);
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
    else if (first === undefined || replacedAt(first) < replacedAt({ observation, past }))
      bySlot.set(slot, { observation, past });
    else first.past &&= past;
  }
  return { bySlot, expired };
}

async function storedSites(
  store: SlotQueries,
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
