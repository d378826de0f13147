import { boardsOfGamePages } from '../leaderboards/game-page-boards.ts';
import { createNetworkBoards } from '../leaderboards/board-site.http.ts';
import { createNetworkEvents } from '../events/events-feed.http.ts';
import { createNetworkPlayers } from '../players/players-feed.http.ts';
import { createNetworkSite } from './network-site.http.ts';
import type { NetworkSource } from './network.ts';
import type { SiteParts } from './site-requests.http.ts';

/** A network whose sources answer HTTP requests, each in its form. */
export function openSite(parts: SiteParts): NetworkSource {
  const site = createNetworkSite(parts);
  const [onTitles, ownPages] = [boardsOfGamePages(site, parts), createNetworkBoards(parts)];
  return {
    ...site,
    boards: {
      boardPage: (...request) => (parts.forms.hasBoardsOnTitles === true ? onTitles : ownPages).boardPage(...request),
    },
    events: createNetworkEvents(parts),
    players: createNetworkPlayers(parts),
  };
}
