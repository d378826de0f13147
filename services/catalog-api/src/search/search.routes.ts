import { operations, type EpochSeconds } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import type { CatalogReader } from '../leaderboards/catalog-reader.ts';
import { searchByPlayers } from './search-by-players.ts';
import { searchByRanks } from './search-by-ranks.ts';
import { searchByTime } from './search-by-time.ts';
import { searchOnePlayer } from './search-rows.ts';
import { findNames } from './find-names.ts';
import { listRivals } from '../players/rivals.ts';
import { playerScores, playerStanding } from '../players/player-standing.ts';

export function searchRoutes(reader: CatalogReader): Route[] {
  return [
    route(operations.searchByTime, ({ query }) => searchByTime(reader, query)),
    route(operations.searchByPlayers, ({ query }) => searchByPlayers(reader, query)),
    route(operations.searchByRanks, ({ body }) => searchByRanks(reader, body)),
    route(operations.findNames, ({ query }) => findNames(reader, query)),
    route(operations.searchOnePlayer, ({ params }) => searchOnePlayer(reader, params.player)),
  ];
}

export function playerRoutes(reader: CatalogReader, now: () => EpochSeconds): Route[] {
  return [
    route(operations.getPlayerStanding, ({ params }) => playerStanding(reader, params.player)),
    route(operations.listPlayerScores, ({ params, query }) => playerScores(reader, params.player, query.limit)),
    route(operations.listRivals, ({ params, query }) => listRivals(reader, params.player, query.limit, now())),
  ];
}
