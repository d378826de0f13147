import { MATCH_GAP_SECONDS, type EpochSeconds, type ObservedTitle } from '@lobbystats/contracts';
import type { Occurrence } from './follow-store.ts';
import { lobbyOccurrence, onlineOccurrence, type TitleName } from './occurrences.ts';

/** Since when a lobby is open, when it was seen last, and its most players. */
type OpenLobby = readonly [startedAt: EpochSeconds, seenAt: EpochSeconds, peak: number];

/** The newest slot: its players online by title, and its open lobbies by title and host. */
export interface SlotMemory {
  readonly slot: EpochSeconds;
  readonly online: Readonly<Record<string, number>>;
  readonly lobbies: Readonly<Record<string, OpenLobby>>;
}

export interface SlotStep {
  readonly memory: SlotMemory;
  /** None for the first slot: nothing is known to have changed. */
  readonly occurrences: readonly Occurrence[];
}

/** Compares a slot with the newest one. Undefined for a slot that is not newer. */
export function nextSlot(
  before: SlotMemory | undefined,
  slot: EpochSeconds,
  titles: readonly ObservedTitle[],
  nameOf: TitleName,
): SlotStep | undefined {
  if (before !== undefined && slot <= before.slot) return undefined;
  const known = new Map(Object.entries(before?.lobbies ?? {}));
  const online = new Map(Object.entries(before?.online ?? {}));
  // A page that could not be read closes none of its lobbies within the gap.
  const lobbies = new Map([...known].filter(([, [, seenAt]]) => slot - seenAt <= MATCH_GAP_SECONDS));
  const occurrences: Occurrence[] = [];
  for (const title of titles) {
    const { titleId, matches } = title;
    const onlineBefore = online.get(titleId) ?? 0;
    if (title.online > onlineBefore) occurrences.push(onlineOccurrence(title, onlineBefore, nameOf, slot));
    for (const { host, players, maxPlayers } of matches ?? []) {
      const key = `${titleId} ${host}`;
      const open = lobbies.get(key);
      const [startedAt, , peakBefore] = open ?? [slot, slot, 0];
      if (players > peakBefore) {
        const growth = { titleId, host, startedAt, peakBefore, players, maxPlayers };
        occurrences.push(lobbyOccurrence(growth, nameOf, slot));
      }
      lobbies.set(key, [startedAt, slot, Math.max(peakBefore, players)]);
    }
  }
  const memory = {
    slot,
    online: Object.fromEntries(titles.map((title) => [title.titleId, title.online])),
    lobbies: Object.fromEntries(lobbies),
  };
  return { memory, occurrences: before === undefined ? [] : occurrences };
}
