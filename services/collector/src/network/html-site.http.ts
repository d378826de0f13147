import { createNetworkBoards } from '../leaderboards/board-site.http.ts';
import { createNetworkEvents } from '../events/events-feed.http.ts';
import { createNetworkPlayers } from '../players/players-feed.http.ts';
import { createNetworkSite } from './network-site.http.ts';
import type { NetworkSource } from './network.ts';
import type { SiteParts } from './site-requests.http.ts';

/** A site of HTML pages and two feeds, as docs/network.md describes it. */
export function openHtmlSite(parts: SiteParts): NetworkSource {
  return {
    ...createNetworkSite(parts),
    boards: createNetworkBoards(parts),
    events: createNetworkEvents(parts),
    players: createNetworkPlayers(parts),
  };
}
