import { operations, type EpochSeconds } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import { getTitleStats, listLeaderboards } from './board-lists.ts';
import type { CatalogReader } from './catalog-reader.ts';
import { leaderboardRecords } from './leaderboard-records.ts';
import { getLeaderboard } from './leaderboard.ts';
import { listRecords } from './list-records.ts';
import { listRecordHolders } from './record-holders.ts';
import { listChanges, listTitleChanges, listChangedGames } from '../changes/change-pages.ts';
import { rankHistory } from '../changes/rank-history.ts';

export function boardRoutes(reader: CatalogReader, now: () => EpochSeconds): Route[] {
  return [
    route(operations.getTitleStats, ({ params }) => getTitleStats(reader, params.titleId)),
    route(operations.listLeaderboards, ({ params }) => listLeaderboards(reader, params.titleId)),
    route(operations.getLeaderboard, ({ params, query }) => getLeaderboard(reader, params, query, now)),
    route(operations.getLeaderboardRecords, ({ params, query }) => leaderboardRecords(reader, params, query)),
    route(operations.listRecordHolders, ({ params }) => listRecordHolders(reader, params.titleId)),
    route(operations.listRecords, ({ query }) => listRecords(reader, query.ids)),
  ];
}

export function changeRoutes(reader: CatalogReader, now: () => EpochSeconds): Route[] {
  return [
    route(operations.listChanges, ({ query }) => listChanges(reader, query)),
    route(operations.listPlayerChanges, ({ params, query }) => listChanges(reader, { ...query, ...params })),
    route(operations.listTitleChanges, ({ params, query }) => listTitleChanges(reader, params.titleId, query)),
    route(operations.getRankHistory, ({ params, query }) => rankHistory(reader, params.player, query, now())),
    route(operations.listChangedGames, () => listChangedGames(reader)),
  ];
}
