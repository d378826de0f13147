import { boardsOfGamePages } from './boards/game-page-boards.ts';
import { createNetworkBoards } from './boards/board-site.http.ts';
import { createNetworkEvents } from './polls/events-feed.http.ts';
import { createNetworkPlayers } from './polls/players-feed.http.ts';
import { createNetworkSite } from './sources/client/network-site.http.ts';
import type { NetworkSource } from './network/network.ts';
import type { SiteParts } from './sources/client/site-requests.http.ts';

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
