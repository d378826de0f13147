import { DAY_SECONDS, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { affectedDays, rollUp, type RollupStore } from '../days/rollups.ts';
import type { TitleRecordQueries } from '../days/title-records.queries.ts';
import type { SlotCluster } from '../matches/match-changes.ts';
import { dayOf, type SlotRange } from '../series/periods.ts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import { deriveAround, type MatchStore, type RetractedEnd } from './commit-slots.ts';
import type { RemovalQueries } from './removals.queries.ts';

export type WithdrawalStore = RollupStore & MatchStore & TitleRecordQueries & RemovalQueries;

/**
 * Removes slots, and derives matches, days and records again from those that remain. Slots that were withdrawn or replaced
 * later stay as they are, so a repetition changes nothing; a crash leaves it to be repeated.
 *
 * @returns ends of matches that are none any more
 */
export async function withdrawSlots(
  store: WithdrawalStore,
  range: SlotRange,
  at: EpochSeconds,
): Promise<RetractedEnd[]> {
  const retracted: RetractedEnd[] = [];
  const marks = await store.withdrawnSlots({ after: range.from - 1, until: range.to });
  const due = slotsOf(range).filter((slot) => (marks.get(slot) ?? -1) < at);
  for (const { first: from, last: to, slots } of unbroken(due)) {
    const derived = await deriveAround(store, [], { from, to });
    const days = affectedDays(slots);
    await store.removeSlots({ from, to }, days);
    await store.commit({ slots: [], runs: derived.runs });
    await restoreRegistered(store, days);
    await rollUp(store, days);
    await store.raiseRecords(await storedDays(store));
    await store.markWithdrawn({ from, to }, at);
    retracted.push(...derived.retracted);
  }
  return retracted;
}

export function slotsOf({ from, to }: SlotRange): EpochSeconds[] {
  return Array.from({ length: (to - from) / SLOT_SECONDS + 1 }, (_, index) => from + index * SLOT_SECONDS);
}

/** Slots in a row. */
function unbroken(slots: readonly EpochSeconds[]): SlotCluster[] {
  const runs: SlotCluster[] = [];
  for (const slot of slots) {
    const run = runs.at(-1);
    if (run?.last !== slot - SLOT_SECONDS) runs.push({ first: slot, last: slot, slots: [slot] });
    else {
      run.last = slot;
      run.slots.push(slot);
    }
  }
  return runs;
}

async function restoreRegistered(store: WithdrawalStore, days: readonly EpochSeconds[]): Promise<void> {
  for (const day of days) {
    const sites = await store.siteSnapshots({ after: day - 1, until: day + DAY_SECONDS - 1 });
    const counts = sites.flatMap(({ slot, registered }) =>
      registered === null ? [] : [{ day, registered, seenAt: slot }],
    );
    await store.putRegistered(counts.slice(-1));
  }
}

async function storedDays(store: SlotQueries): Promise<EpochSeconds[]> {
  const [oldest, newest] = [await store.slotAfter(-1), await store.slotBefore(Number.MAX_SAFE_INTEGER)];
  if (oldest === null || newest === null) return [];
  const days: EpochSeconds[] = [];
  for (let day = dayOf(oldest); day <= newest; day += DAY_SECONDS) days.push(day);
  return days;
}
