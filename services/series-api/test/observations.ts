import { formatInstant, type ObservedMatch, type ObservedTitle } from '@lobbystats/contracts';
import { observedTitle } from '@lobbystats/test-kit';
import { readSlot, type SlotObservation, type SlotSnapshot } from '../src/slots/snapshots.ts';

/** 2027-01-15 08:00:00 UTC, the beginning of a slot. */
export const NOW = 1_800_000_000;
/** 2027-01-15 00:00:00 UTC. */
export const TODAY = NOW - 8 * 3600;
export const SLOT = 300;
export const HOUR = 3600;
export const DAY = 86_400;

export const HARBOR = '4d530064';
export const RALLY = '0000000a';
export const CHESS = 'ffffffff';

/** Counts of a title; matches as `host: players`, or null when its page was missing. */
interface TitleSketch extends Partial<Omit<ObservedTitle, 'titleId' | 'matches'>> {
  matches?: Record<string, number> | readonly ObservedMatch[] | null;
}

/** Completes a sketch to an observation. */
export function observation(
  slot: number,
  { titles = {}, online = 0, registered = null }: SlotSketch = {},
): SlotObservation {
  return { slot: formatInstant(slot), online, registered, titles: Object.entries(titles).map(title) };
}

export interface SlotSketch {
  online?: number;
  registered?: number | null;
  titles?: Record<string, TitleSketch>;
}

/** Completes a sketch to a snapshot. */
export function snapshot(slot: number, sketch: SlotSketch = {}): SlotSnapshot {
  return readSlot(observation(slot, sketch));
}

/** `count` consecutive slots from `first`. */
export function slotsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index * SLOT);
}

/** `count` consecutive slots from `first`, in which no title has a match. */
export function emptySlots(first: number, count: number): [number, SlotSketch][] {
  return slotsFrom(first, count).map((slot) => [slot, {}]);
}

function title([titleId, { matches = {}, ...counts }]: [string, TitleSketch]): ObservedTitle {
  return observedTitle({ titleId, online: 0, sessions: 0, players: 0, ...counts, matches: matchList(matches) });
}

function matchList(matches: NonNullable<TitleSketch['matches']> | null): ObservedMatch[] | null {
  if (matches === null) return null;
  if (Array.isArray(matches)) return [...(matches as readonly ObservedMatch[])];
  return Object.entries(matches).map(([host, players]) => ({ host, players, maxPlayers: 8 }));
}
