import { SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import type { SiteSnapshot, TitleSnapshot } from '../slots/snapshots.ts';

/** Slots in a row that a match may be without its host, and without being read, before it is over. */
const ABSENT_MAX = 1;
const UNREAD_MAX = 12;
/** Longest time from a match's last snapshot to its end: unread slots, one without the host, unread slots again. */
export const MATCH_END_MAX_SECONDS = (2 * UNREAD_MAX + ABSENT_MAX + 1) * SLOT_SECONDS;

/** By slot, the titles whose matches were read; undefined: all. */
export type ReadSlots = ReadonlyMap<EpochSeconds, ReadonlySet<string> | undefined>;

interface SlotTitles {
  readonly site: Pick<SiteSnapshot, 'slot' | 'missing'>;
  readonly titles: readonly Pick<TitleSnapshot, 'titleId' | 'lobbies'>[];
}

/** A title that a slot without missing pages doesn't name has no matches. */
export function readSlots(slots: readonly SlotTitles[]): ReadSlots {
  return new Map(
    slots.map(({ site: { slot, missing }, titles }) => [
      slot,
      missing === 0
        ? undefined
        : new Set(titles.filter(({ lobbies }) => lobbies !== null).map(({ titleId }) => titleId)),
    ]),
  );
}

/** Reads the stored slots from `from` to `to`. */
export async function storedReadSlots(store: SlotQueries, from: EpochSeconds, to: EpochSeconds): Promise<ReadSlots> {
  const sites = await store.siteSnapshots({ after: from - 1, until: to });
  const slots: SlotTitles[] = [];
  for (const site of sites) slots.push({ site, titles: site.missing === 0 ? [] : await store.titlesIn(site.slot) });
  return readSlots(slots);
}

export function wasRead(reads: ReadSlots, titleId: string, slot: EpochSeconds): boolean {
  return reads.has(slot) && (reads.get(slot)?.has(titleId) ?? true);
}

/**
 * The slot at which a match is over unless its host is in it or an earlier one. `isSeen`: slots without the host end it,
 * and not an outage.
 */
export function matchEnd(
  reads: ReadSlots,
  { titleId, endedAt }: { titleId: string; endedAt: EpochSeconds },
): { slot: EpochSeconds; isSeen: boolean } {
  let absent = 0;
  let unread = 0;
  let slot = endedAt;
  while (absent <= ABSENT_MAX && unread <= UNREAD_MAX) {
    slot += SLOT_SECONDS;
    if (wasRead(reads, titleId, slot)) [absent, unread] = [absent + 1, 0];
    else unread += 1;
  }
  return { slot, isSeen: absent > ABSENT_MAX };
}

/** Whether a title was read in the hour before a slot: else the slot's matches may have been open for long. */
export function isReadBefore(reads: ReadSlots, titleId: string, slot: EpochSeconds): boolean {
  for (let gap = 1; gap <= UNREAD_MAX + 1; gap += 1)
    if (wasRead(reads, titleId, slot - gap * SLOT_SECONDS)) return true;
  return false;
}
