import type { operations, OperationResponse } from '@lobbystats/contracts';
import type { Html } from '../html.ts';
import { table } from './table.ts';
import { formatCount, gameLink, playerLink, time, type Titles } from './text.ts';

export type Lobby = OperationResponse<typeof operations.listLobbies>['lobbies'][number];

export interface LobbyTable {
  readonly lobbies: readonly Lobby[];
  readonly titles: Titles;
  /** Default: of many games, which a column names. */
  readonly isOfOneGame?: boolean;
}

/** Open lobbies: host, players, and since when. */
export function lobbyTable({ lobbies, titles, isOfOneGame = false }: LobbyTable): Html {
  return table<Lobby>({
    ...{ id: 'lobby', rows: lobbies, key: ({ titleId, hostName }) => `${titleId} ${hostName}` },
    caption: 'Open lobbies',
    empty: 'No lobby is open',
    isStacked: !isOfOneGame,
    columns: [
      { heading: 'Host', isHead: true, cell: ({ hostName }) => playerLink(hostName) },
      ...(isOfOneGame
        ? []
        : [{ heading: 'Game', cell: ({ titleId, gameName }: Lobby) => gameLink(titles, titleId, gameName) }]),
      { heading: 'Players', isNumber: true, cell: outOf },
      { heading: 'Opened', isNumber: true, cell: ({ openedAt }) => time(openedAt) },
    ],
  });
}

/** `6/8`; a lobby of unknown size has no limit. */
export function outOf({ currentPlayers, maxPlayers }: Pick<Lobby, 'currentPlayers' | 'maxPlayers'>): string {
  return maxPlayers === 0 ? formatCount(currentPlayers) : `${formatCount(currentPlayers)}/${formatCount(maxPlayers)}`;
}
