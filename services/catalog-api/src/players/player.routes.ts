import { operations } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import type { CatalogReader } from '../leaderboards/catalog-reader.ts';
import { playerScores, playerStanding } from './player-standing.ts';

export function playerRoutes(reader: CatalogReader): Route[] {
  return [
    route(operations.getPlayerStanding, ({ params }) => playerStanding(reader, params.player)),
    route(operations.listPlayerScores, ({ params, query }) => playerScores(reader, params.player, query.limit)),
  ];
}
