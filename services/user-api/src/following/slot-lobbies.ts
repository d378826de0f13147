import {
  HOUR_SECONDS,
  MATCH_GAP_SECONDS,
  SLOT_SECONDS,
  type EpochSeconds,
  type ObservedTitle,
} from '@lobbystats/contracts';
import type { Occurrence } from './follow-store.ts';
import { lobbyOccurrence, onlineOccurrence, type TitleName } from './occurrences.ts';

/** Twelve slots in a row may be unread. More end all lobbies, and what is found after them is no news. */
const READ_GAP_MAX_SECONDS = HOUR_SECONDS + SLOT_SECONDS;
/** Slots in a row that were read without the host of a lobby: it is over. */
const ABSENT_SLOTS = MATCH_GAP_SECONDS / SLOT_SECONDS;

/** Since when a lobby is open, the slots since then that were read without its host, and its most players. */
type OpenLobby = readonly [startedAt: EpochSeconds, absent: number, peak: number];

/** The newest slot: its players online by title, and its open lobbies by title and host. */
export interface SlotMemory {
  readonly slot: EpochSeconds;
  readonly online: Readonly<Record<string, number>>;
  /** When the lobbies of a title were read last. */
  readonly readAt: Readonly<Record<string, EpochSeconds>>;
  readonly lobbies: Readonly<Record<string, OpenLobby>>;
}

export interface SlotStep {
  readonly memory: SlotMemory;
  /** None of what was not read in the hour before: nothing is known to have changed. */
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
  const isRecent = (at: EpochSeconds = -Infinity) => slot - at <= READ_GAP_MAX_SECONDS;
  const readAt = new Map(Object.entries(before?.readAt ?? {}).filter(([, at]) => isRecent(at)));
  const online = new Map(Object.entries(before?.online ?? {}));
  // A title that a slot without missing pages does not name has no lobbies.
  const isWhole = titles.every(({ matches }) => matches !== null);
  const read = new Set(isWhole ? readAt.keys() : []);
  for (const { titleId, matches } of titles) if (matches !== null) read.add(titleId);
  const lobbies = new Map<string, OpenLobby>();
  for (const [key, [startedAt, absent, peak]] of Object.entries(before?.lobbies ?? {})) {
    const titleId = key.slice(0, key.indexOf(' '));
    if (readAt.has(titleId)) lobbies.set(key, [startedAt, absent + (read.has(titleId) ? 1 : 0), peak]);
  }
  const occurrences: Occurrence[] = [];
  for (const title of titles) {
    const { titleId, matches } = title;
    const onlineBefore = online.get(titleId) ?? 0;
    if (title.online > onlineBefore && isRecent(before?.slot))
      occurrences.push(onlineOccurrence(title, onlineBefore, nameOf, slot));
    for (const { host, players, maxPlayers } of matches ?? []) {
      const key = `${titleId} ${host}`;
      const [startedAt, , peakBefore] = lobbies.get(key) ?? [slot, 0, 0];
      if (players > peakBefore && readAt.has(titleId)) {
        const growth = { titleId, host, startedAt, peakBefore, players, maxPlayers };
        occurrences.push(lobbyOccurrence(growth, nameOf, slot));
      }
      lobbies.set(key, [startedAt, 0, Math.max(peakBefore, players)]);
    }
  }
  const memory = {
    slot,
    online: { ...before?.online, ...Object.fromEntries(titles.map((title) => [title.titleId, title.online])) },
    readAt: Object.fromEntries([...readAt, ...Array.from(read, (titleId) => [titleId, slot] as const)]),
    lobbies: Object.fromEntries([...lobbies].filter(([, [, absent]]) => absent < ABSENT_SLOTS)),
  };
  return { memory, occurrences };
}
