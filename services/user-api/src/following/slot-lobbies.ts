import {
  HOUR_SECONDS,
  MATCH_GAP_SECONDS,
  SLOT_SECONDS,
  type EpochSeconds,
  type ObservedTitle,
} from '@lobbystats/contracts';
import type { Occurrence } from './follow-store.ts';
import { lobbyOccurrence, onlineOccurrence, type TitleName } from './occurrences.ts';

/** A longer outage ends all lobbies. */
const OUTAGE_MAX_SECONDS = HOUR_SECONDS;

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
  /** None for the first slot, and after a long outage: nothing is known to have changed. */
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
  const step = slot - (before?.slot ?? slot);
  const isLongOutage = step > OUTAGE_MAX_SECONDS;
  const read = new Set(titles.flatMap(({ titleId, matches }) => (matches === null ? [] : [titleId])));
  const known = isLongOutage ? [] : Object.entries(before?.lobbies ?? {});
  const online = new Map(Object.entries(before?.online ?? {}));
  // Time that was not read closes no lobby: it counts as if the lobby had been seen.
  const seen = known.map(([key, [startedAt, seenAt, peak]]): [string, OpenLobby] => {
    const unread = read.has(key.slice(0, key.indexOf(' '))) ? Math.max(step - SLOT_SECONDS, 0) : step;
    return [key, [startedAt, seenAt + unread, peak]];
  });
  const lobbies = new Map(seen.filter(([, [, seenAt]]) => slot - seenAt <= MATCH_GAP_SECONDS));
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
    online: { ...before?.online, ...Object.fromEntries(titles.map((title) => [title.titleId, title.online])) },
    lobbies: Object.fromEntries(lobbies),
  };
  return { memory, occurrences: before === undefined || isLongOutage ? [] : occurrences };
}
