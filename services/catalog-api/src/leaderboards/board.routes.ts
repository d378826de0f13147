import { operations, type EpochSeconds } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import { getTitleStats, listLeaderboards } from './board-lists.ts';
import type { CatalogReader } from './catalog-reader.ts';
import { getLeaderboard } from './leaderboard.ts';
import { listChanges, listTitleChanges, listChangedGames } from '../changes/change-pages.ts';

export function boardRoutes(reader: CatalogReader, now: () => EpochSeconds): Route[] {
  return [
    route(operations.getTitleStats, ({ params }) => getTitleStats(reader, params.titleId)),
    route(operations.listLeaderboards, ({ params }) => listLeaderboards(reader, params.titleId)),
    route(operations.getLeaderboard, ({ params, query }) => getLeaderboard(reader, params, query, now())),
  ];
}

export function changeRoutes(reader: CatalogReader): Route[] {
  return [
    route(operations.listChanges, ({ query }) => listChanges(reader, query)),
    route(operations.listTitleChanges, ({ params, query }) => listTitleChanges(reader, params.titleId, query)),
    route(operations.listChangedGames, () => listChangedGames(reader)),
  ];
}
