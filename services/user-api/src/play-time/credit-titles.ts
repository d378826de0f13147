import { SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import {
  countBits,
  dayOf,
  hasBit,
  highestBit,
  indexOf,
  slotAt,
  type DayChange,
  type DayTitles,
} from '../users/play-day.ts';
import type { TitlePlay } from '../users/user-record.ts';

export const SLOT_MINUTES = SLOT_SECONDS / 60;

export interface PlayHistory {
  readonly firstDay: number;
  readonly days: ReadonlyMap<number, DayTitles>;
}

export interface CreditResult {
  readonly titles: readonly TitlePlay[];
  readonly slots: number;
  /** The title lost its last slot: earlier days must be read to find the new one. */
  readonly needsHistory: boolean;
}

/** `history`: stored days before these changes, when they had to be read. */
export function creditTitles(
  before: readonly TitlePlay[],
  changes: readonly DayChange[],
  history?: PlayHistory,
): CreditResult {
  if (changes.length === 0) return { titles: before, slots: 0, needsHistory: false };
  const titles = [...before];
  let [slots, needsHistory] = [0, false];
  for (const titleId of changedTitles(changes)) {
    const gained = changes.reduce((sum, change) => sum + slotsGained(change, titleId), 0);
    slots += gained;
    const index = insertionIndex(titles, titleId);
    const known = titles[index]?.titleId === titleId ? titles[index] : undefined;
    const minutes = (known?.minutes ?? 0) + gained * SLOT_MINUTES;
    const last = minutes > 0 ? lastPlayed(titleId, known?.lastPlayedAt, changes, history) : 0;
    if (last === undefined) needsHistory = true;
    const title = { titleId, minutes, lastPlayedAt: last ?? 0 };
    titles.splice(index, known === undefined ? 0 : 1, ...(minutes > 0 ? [title] : []));
  }
  return { titles, slots, needsHistory };
}

function changedTitles(changes: readonly DayChange[]): Set<string> {
  const changed = new Set<string>();
  for (const { before, after } of changes) {
    for (const [titleId, bits] of after) if (before.get(titleId) !== bits) changed.add(titleId);
    for (const titleId of before.keys()) if (!after.has(titleId)) changed.add(titleId);
  }
  return changed;
}

function insertionIndex(titles: readonly TitlePlay[], titleId: string): number {
  const index = titles.findIndex((title) => title.titleId >= titleId);
  return index === -1 ? titles.length : index;
}

function slotsGained({ before, after }: DayChange, titleId: string): number {
  return slotsOf(after, titleId) - slotsOf(before, titleId);
}

function slotsOf(titles: DayTitles, titleId: string): number {
  const bits = titles.get(titleId);
  return bits === undefined ? 0 : countBits(bits);
}

/** Undefined when earlier days must be read. */
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
  // Upper bound for play before the oldest kept day.
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
