import { type EpochSeconds, type ObservedMatch, parseInstant, type slotObserved } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';

/** A slot as the collector observed it. */
export type SlotObservation = ReturnType<typeof slotObserved.data.parse>;

/** The whole site in a slot. */
export interface SiteSnapshot {
  slot: EpochSeconds;
  online: number;
  /** Registered users; null where the homepage didn't say. */
  registered: number | null;
  /** Open matches over all titles; null when the page of any title could not be had. */
  lobbies: number | null;
  /** How many titles' pages could not be had. */
  missing: number;
}

/** One title in a slot. */
export interface TitleSnapshot {
  titleId: string;
  online: number;
  /** Sessions and the players in them, as the homepage counts them. */
  sessions: number;
  players: number;
  /** Open matches, a host one; null when the title's page could not be had. */
  lobbies: number | null;
  /** Players summed over all hosts; null when the title's page could not be had. */
  lobbyPlayers: number | null;
}

/** One open match in a slot. */
export interface MatchSnapshot {
  slot: EpochSeconds;
  titleId: string;
  host: string;
  players: number;
  /** 0 where the page didn't say. */
  maxPlayers: number;
}

/** Everything that is stored of a slot. A title is in it once, and a host once in a title. */
export interface SlotSnapshot {
  site: SiteSnapshot;
  titles: TitleSnapshot[];
  matches: MatchSnapshot[];
}

/** No network has more of anything; sums over everything that is kept stay exact below it. */
const COUNT_MAX = 2 ** 31 - 1;

/**
 * What an observation says. Of a title that is in it twice the first stays; of a host that is twice on one page, the match
 * with more players, then the one with room for more.
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
    // Stores keep UTF-8, which has no lone surrogates: two names that would be one there must be one here.
    const host = match.host.toWellFormed();
    const other = hosts.get(host);
    if (other === undefined || isLarger(match, other)) hosts.set(host, match);
  }
  return hosts;
}

function isLarger(match: ObservedMatch, other: ObservedMatch): boolean {
  return match.players > other.players || (match.players === other.players && match.maxPlayers > other.maxPlayers);
}

/** A count that a network can have. */
export function plausible(count: number): number {
  if (count > COUNT_MAX) throw new AppError('invalid', `${count} is more than a network can have`);
  return count;
}
