import { type EpochSeconds, type ObservedMatch, parseInstant, type slotObserved } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';

export type SlotObservation = ReturnType<typeof slotObserved.data.parse>;

export interface SiteSnapshot {
  slot: EpochSeconds;
  online: number;
  /** Null where the homepage didn't say. */
  registered: number | null;
  lobbies: number | null;
  missing: number;
}

export interface TitleSnapshot {
  titleId: string;
  online: number;
  sessions: number;
  players: number;
  lobbies: number | null;
  lobbyPlayers: number | null;
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

const COUNT_MAX = 2 ** 31 - 1;

/**
 * Of duplicate titles the first counts; of duplicate hosts the one with more players, then more room.
 *
 * @throws AppError `invalid` when a count is beyond what a network can have
 */
export function readSlot(observation: SlotObservation): SlotSnapshot {
  const slot = parseInstant(observation.slot);
  const titles = new Map<string, TitleSnapshot>();
  const matches: MatchSnapshot[] = [];
  let missing = 0;
  let lobbies = 0;
  for (const { titleId, online, sessions, players, matches: observed } of observation.titles) {
    if (titles.has(titleId)) continue;
    const open = observed === null ? null : mergeHosts(observed);
    titles.set(titleId, {
      titleId,
      online: plausible(online),
      sessions: plausible(sessions),
      players: plausible(players),
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
      online: plausible(observation.online),
      registered: observation.registered === null ? null : plausible(observation.registered),
      lobbies: missing === 0 ? lobbies : null,
      missing,
    },
    titles: [...titles.values()],
    matches,
  };
}

function mergeHosts(observed: readonly ObservedMatch[]): Map<string, ObservedMatch> {
  const hosts = new Map<string, ObservedMatch>();
  for (const match of observed) {
    plausible(match.players);
    plausible(match.maxPlayers);
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

export function plausible(count: number): number {
  if (count > COUNT_MAX) throw new AppError('invalid', `${count} is more than a network can have`);
  return count;
}
