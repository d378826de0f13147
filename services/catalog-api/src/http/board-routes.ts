import { operations, type EpochSeconds } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import { getTitleStats, listLeaderboards } from '../domain/board-lists.ts';
import type { CatalogReader } from '../domain/catalog-reader.ts';
import { getLeaderboard } from '../domain/leaderboard.ts';

export function boardRoutes(reader: CatalogReader, now: () => EpochSeconds): Route[] {
  return [
    route(operations.getTitleStats, ({ params }) => getTitleStats(reader, params.titleId)),
    route(operations.listLeaderboards, ({ params }) => listLeaderboards(reader, params.titleId)),
    route(operations.getLeaderboard, ({ params, query }) => getLeaderboard(reader, params, query, now())),
  ];
}
