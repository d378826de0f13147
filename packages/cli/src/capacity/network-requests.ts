import { HOUR_SECONDS, SLOT_SECONDS } from '@lobbystats/contracts';
import type { NetworkSize } from './network-size.ts';
import { unitCosts } from './unit-costs.ts';

const SLOTS_PER_HOUR = HOUR_SECONDS / SLOT_SECONDS;
const METADATA_PER_HOUR = 4;
const EVENTS_PER_HOUR = 4;
/** The homepage and the players. */
const FEEDS_PER_SLOT = 2;
/** From the first request of a slot to its deadline. */
const SLOT_COLLECTION_SECONDS = 118;

export interface NetworkRequests {
  /** Mean rate of an hour in which every leaderboard is read. */
  readonly neededPerSecond: number;
  /** At most `COLLECTOR_MAX_RPS`. */
  readonly sentPerSecond: number;
  /** Requests for leaderboards among those that are sent. Most responses are unchanged. */
  readonly boardsPerSecond: number;
  /** From the start of a slot until all of its pages are read. */
  readonly slotSeconds: number;
  /** True when a slot is read before its deadline. An incomplete slot has fewer titles and no lobby count. */
  readonly isSlotComplete: boolean;
  /** 0 to 1: leaderboards that are read in an hour. */
  readonly boardShare: number;
}

/** Slots come first, then metadata; leaderboards get the rest. */
export function requestsOf({ titles, boards, entries, openMatches, maxRps }: NetworkSize): NetworkRequests {
  const played = Math.min(titles, unitCosts.playedTitles.value * openMatches);
  const slot = FEEDS_PER_SLOT + played;
  const first = SLOTS_PER_HOUR * slot + METADATA_PER_HOUR * titles + EVENTS_PER_HOUR;
  const unchanged = unitCosts.boardPages.value * boards + unitCosts.entryPages.value * entries;
  // A changed leaderboard is read whole, and its pages once more.
  const ofBoards = unchanged * (1 + 2 * unitCosts.changedBoards.value);
  const allowed = maxRps * HOUR_SECONDS;
  const sent = Math.min(first + ofBoards, allowed);
  return {
    neededPerSecond: (first + ofBoards) / HOUR_SECONDS,
    sentPerSecond: sent / HOUR_SECONDS,
    boardsPerSecond: Math.max(0, sent - first) / HOUR_SECONDS,
    slotSeconds: slot / maxRps,
    isSlotComplete: slot / maxRps <= SLOT_COLLECTION_SECONDS,
    boardShare: ofBoards === 0 ? 1 : Math.min(1, Math.max(0, allowed - first) / ofBoards),
  };
}
