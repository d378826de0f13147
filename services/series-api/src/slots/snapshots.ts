import {
  type EpochSeconds,
  observedCounts,
  type ObservedMatch,
  type ObservedTitle,
  parseInstant,
  type slotObserved,
  type TitleCounts,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';

export type SlotObservation = ReturnType<typeof slotObserved.data.parse>;

export interface SiteSnapshot {
  slot: EpochSeconds;
  online: number;
  /** Null when the homepage has no count. */
  registered: number | null;
  lobbies: number | null;
  missing: number;
}

export interface TitleSnapshot extends TitleCounts {
  titleId: string;
}

export interface MatchSnapshot {
  slot: EpochSeconds;
  titleId: string;
  host: string;
  players: number;
  maxPlayers: number;
}

export interface SlotSnapshot {
  site: SiteSnapshot;
  titles: TitleSnapshot[];
  matches: MatchSnapshot[];
}

const MAX_COUNT = 2 ** 31 - 1;

/**
 * Parses an observed slot. The first of duplicate titles counts, and of duplicate hosts the one with more players, then more capacity.
 *
 * @throws AppError `invalid` when a count is above the maximum
 */
export function readSlot(observation: SlotObservation): SlotSnapshot {
  const slot = parseInstant(observation.slot);
  const titles = new Map<string, TitleSnapshot>();
  const matches: MatchSnapshot[] = [];
  let missing = 0;
  let lobbies = 0;
  for (const title of observation.titles) {
    const { titleId, matches: observed } = title;
    if (titles.has(titleId)) continue;
    const open = observed === null ? null : mergeHosts(observed);
    titles.set(titleId, {
      titleId,
      ...countsOf(title),
      lobbies: open?.size ?? null,
      lobbyPlayers: open === null ? null : [...open.values()].reduce((sum, match) => sum + match.players, 0),
    });
    if (open === null) missing += 1;
    else {
      lobbies += open.size;
      for (const [host, match] of open) {
        matches.push({ slot, titleId, host, players: match.players, maxPlayers: match.maxPlayers });
      }
    }
  }
  return {
    site: {
      slot,
      online: validateCount(observation.online),
      registered: observation.registered === null ? null : validateCount(observation.registered),
      lobbies: missing === 0 ? lobbies : null,
      missing,
    },
    titles: [...titles.values()],
    matches,
  };
}

type ObservedCounts = Record<keyof typeof observedCounts, number>;

function countsOf(title: ObservedTitle): ObservedCounts {
  const names = Object.keys(observedCounts) as (keyof ObservedCounts)[];
  return Object.fromEntries(names.map((name) => [name, validateCount(title[name])])) as ObservedCounts;
}

function mergeHosts(observed: readonly ObservedMatch[]): Map<string, ObservedMatch> {
  const hosts = new Map<string, ObservedMatch>();
  for (const match of observed) {
    validateCount(match.players);
    validateCount(match.maxPlayers);
    // Stores keep UTF-8, which has no lone surrogates.
    const host = match.host.toWellFormed();
    const other = hosts.get(host);
    if (other === undefined || isLarger(match, other)) hosts.set(host, match);
  }
  return hosts;
}

function isLarger(match: ObservedMatch, other: ObservedMatch): boolean {
  return match.players > other.players || (match.players === other.players && match.maxPlayers > other.maxPlayers);
}

export function validateCount(count: number): number {
  if (count > MAX_COUNT) throw new AppError('invalid', `${count} is more than a network can have`);
  return count;
}
