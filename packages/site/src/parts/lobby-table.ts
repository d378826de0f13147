import type { operations, OperationResponse } from '@lobbystats/contracts';
import { html, raw, type Html } from '../html.ts';
import { table } from './table.ts';
import { formatCount, gameLink, playerLink, time, type Titles } from './text.ts';

export type Lobby = OperationResponse<typeof operations.listLobbies>['lobbies'][number];
type Seats = Pick<Lobby, 'currentPlayers' | 'maxPlayers'>;

export interface LobbyTable {
  readonly lobbies: readonly Lobby[];
  readonly titles: Titles;
  /** Unique in the page. Default: `lobby`. */
  readonly id?: string;
  /** Default: of many games, which a column names. */
  readonly isOfOneGame?: boolean;
}

/** Open lobbies: host, players, and since when. */
export function lobbyTable({ lobbies, titles, id = 'lobby', isOfOneGame = false }: LobbyTable): Html {
  return table<Lobby>({
    ...{ id, rows: lobbies, key: ({ titleId, hostName }) => (isOfOneGame ? hostName : `${titleId} ${hostName}`) },
    caption: 'Open lobbies',
    empty: 'No lobby is open',
    isStacked: !isOfOneGame,
    columns: [
      { heading: 'Host', isHead: true, cell: ({ hostName }) => playerLink(hostName) },
      ...(isOfOneGame
        ? []
        : [{ heading: 'Game', cell: ({ titleId, gameName }: Lobby) => gameLink(titles, titleId, gameName) }]),
      { heading: 'Players', isNumber: true, cell: seats },
      { heading: 'Opened', isNumber: true, cell: ({ openedAt }) => time(openedAt) },
    ],
  });
}

/** A bar of the taken seats beside their number; the number alone for a lobby of unknown size. */
function seats(lobby: Seats): Html {
  const { currentPlayers, maxPlayers } = lobby;
  if (maxPlayers === 0) return html`${outOf(lobby)}`;
  const taken = Math.min(1, currentPlayers / maxPlayers);
  return html`<span class="seats${!hasRoom(lobby) && ' full'}"
    >${raw(`<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round(100 * taken)}" height="8"/></svg>`)}
    ${outOf(lobby)}</span
  >`;
}

/** Returns whether somebody can join the lobby; false for one of unknown size. */
export function hasRoom({ currentPlayers, maxPlayers }: Seats): boolean {
  return currentPlayers < maxPlayers;
}

/** Those with room first, and of them those with the most players. */
export function byRoom(a: Lobby, b: Lobby): number {
  return Number(hasRoom(b)) - Number(hasRoom(a)) || b.currentPlayers - a.currentPlayers;
}

/** Tells the reader how to join a lobby, which the site itself can't do. */
export const HOW_TO_JOIN = 'To join, start the game on your console and choose the host in its list of lobbies.';

/** `6/8`; a lobby of unknown size has no limit. */
export function outOf({ currentPlayers, maxPlayers }: Seats): string {
  return maxPlayers === 0 ? formatCount(currentPlayers) : `${formatCount(currentPlayers)}/${formatCount(maxPlayers)}`;
}
