import { SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { DayChange, DayTitles } from './play-day.ts';
import { countBits, dayOf, hasBit, highestBit, indexOf, slotAt } from './slot-bits.ts';
import type { TitlePlay } from './user-record.ts';

/** Minutes that a slot is worth. */
export const SLOT_MINUTES = SLOT_SECONDS / 60;

/** All days of a person that may still change. */
export interface PlayHistory {
  readonly firstDay: number;
  readonly days: ReadonlyMap<number, DayTitles>;
}

/** What a person has played, with the slots of changed days. */
export interface Credited {
  /** By titleId. */
  readonly titles: readonly TitlePlay[];
  /** Slots earned that were not earned before in any title. */
  readonly slots: number;
  /** The last slot of a title went to another: only the days before tell when it was played last. */
  readonly needsHistory: boolean;
}

/**
 * Counts what changed days have changed.
 *
 * @param history the person's days as they were before, where they had to be read
 */
export function creditTitles(
  before: readonly TitlePlay[],
  changes: readonly DayChange[],
  history?: PlayHistory,
): Credited {
  if (changes.length === 0) return { titles: before, slots: 0, needsHistory: false };
  const titles = [...before];
  let [slots, needsHistory] = [0, false];
  for (const titleId of changedTitles(changes)) {
    const gained = changes.reduce((sum, change) => sum + slotsGained(change, titleId), 0);
    slots += gained;
    const place = placeOf(titles, titleId);
    const known = titles[place]?.titleId === titleId ? titles[place] : undefined;
    const minutes = (known?.minutes ?? 0) + gained * SLOT_MINUTES;
    const last = minutes > 0 ? lastPlayed(titleId, known?.lastPlayedAt, changes, history) : 0;
    if (last === undefined) needsHistory = true;
    const title = { titleId, minutes, lastPlayedAt: last ?? 0 };
    titles.splice(place, known === undefined ? 0 : 1, ...(minutes > 0 ? [title] : []));
  }
  return { titles, slots, needsHistory };
}

/** Titles whose slots are others than before. */
function changedTitles(changes: readonly DayChange[]): Set<string> {
  const changed = new Set<string>();
  for (const { before, after } of changes) {
    for (const [titleId, bits] of after) if (before.get(titleId) !== bits) changed.add(titleId);
    for (const titleId of before.keys()) if (!after.has(titleId)) changed.add(titleId);
  }
  return changed;
}

/** Where a title stands, or is to stand, among titles in their order. */
function placeOf(titles: readonly TitlePlay[], titleId: string): number {
  const place = titles.findIndex((title) => title.titleId >= titleId);
  return place === -1 ? titles.length : place;
}

function slotsGained({ before, after }: DayChange, titleId: string): number {
  return slotsOf(after, titleId) - slotsOf(before, titleId);
}

function slotsOf(titles: DayTitles, titleId: string): number {
  const bits = titles.get(titleId);
  return bits === undefined ? 0 : countBits(bits);
}

/** The last slot of a title; undefined where only the days before can tell. */
function lastPlayed(
  titleId: string,
  known: EpochSeconds | undefined,
  changes: readonly DayChange[],
  history: PlayHistory | undefined,
): EpochSeconds | undefined {
  const newest = newestSlot(
    titleId,
    changes.map(({ day, after }) => [day, after] as const),
  );
  if (known === undefined) return newest;
  if (newest !== undefined && newest >= known) return newest;
  const change = changes.find(({ day }) => day === dayOf(known));
  const bits = change?.after.get(titleId);
  if (change === undefined || (bits !== undefined && hasBit(bits, indexOf(known)))) return known;
  if (newest !== undefined && dayOf(newest) === dayOf(known)) return newest;
  if (history === undefined) return undefined;
  const days = new Map(history.days);
  for (const { day, after } of changes) days.set(day, after);
  // What was played before the oldest day that is kept: it can't have been later than this.
  return newestSlot(titleId, days) ?? slotAt(history.firstDay, 0) - SLOT_SECONDS;
}

function newestSlot(titleId: string, days: Iterable<readonly [number, DayTitles]>): EpochSeconds | undefined {
  let newest: EpochSeconds | undefined;
  for (const [day, titles] of days) {
    const bits = titles.get(titleId);
    if (bits === undefined) continue;
    const slot = slotAt(day, highestBit(bits));
    if (newest === undefined || slot > newest) newest = slot;
  }
  return newest;
}
