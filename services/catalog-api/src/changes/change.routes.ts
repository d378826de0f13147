import { operations } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import type { CatalogReader } from '../leaderboards/catalog-reader.ts';
import { listChanges, listTitleChanges } from './change-pages.ts';
import { listChangedGames } from './changed-games.ts';

export function changeRoutes(reader: CatalogReader): Route[] {
  return [
    route(operations.listChanges, ({ query }) => listChanges(reader, query)),
    route(operations.listTitleChanges, ({ params, query }) => listTitleChanges(reader, params.titleId, query)),
    route(operations.listChangedGames, () => listChangedGames(reader)),
  ];
}
