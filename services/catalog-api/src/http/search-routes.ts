import { operations } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import type { CatalogReader } from '../domain/catalog-reader.ts';
import { searchByPlayers } from '../domain/search-by-players.ts';
import { searchByRanks } from '../domain/search-by-ranks.ts';
import { searchByTime } from '../domain/search-by-time.ts';
import { searchOnePlayer } from '../domain/search-one-player.ts';

export function searchRoutes(reader: CatalogReader): Route[] {
  return [
    route(operations.searchByTime, ({ query }) => searchByTime(reader, query)),
    route(operations.searchByPlayers, ({ query }) => searchByPlayers(reader, query)),
    route(operations.searchByRanks, ({ body }) => searchByRanks(reader, body)),
    route(operations.searchOnePlayer, ({ params }) => searchOnePlayer(reader, params.player)),
  ];
}
