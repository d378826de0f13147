import { operations } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import { getHost } from '../matches/hostings.ts';
import type { SeriesReader } from '../database/series-store.ts';
import {
  compareGames,
  getDailyOnline,
  getDailyRegistered,
  getLobbySeries,
  getOnlineSeries,
  getTitleOnlineHistory,
} from './site-series.ts';
import { getActivity } from '../days/activity.ts';
import { getGameRecords, getNetworkRecords } from '../days/records.ts';
import { getRanking } from '../days/ranking.ts';
import { titleTotalsReader } from '../titles/title-totals.ts';
import { getNow } from './now.ts';
import { getLatestActivity, getOnlineSummary } from './online-users.ts';
import { listLobbies } from '../matches/lobbies.ts';
import { getDailyStats, getMatches, getMatchHistory, getMatchStats } from '../matches/matches.ts';

export function siteSeriesRoutes(store: SeriesReader, now: () => number): Route[] {
  return [
    route(operations.getNow, () => getNow(store, now())),
    route(operations.getDailyRegistered, ({ query }) => getDailyRegistered(store, query, now())),
    route(operations.getDailyOnline, ({ query }) => getDailyOnline(store, query, now())),
    route(operations.getNetworkRecords, () => getNetworkRecords(store, now())),
    route(operations.getOnlineSeries, ({ query }) => getOnlineSeries(store, query, now())),
    route(operations.getLobbySeries, ({ query }) => getLobbySeries(store, query, now())),
  ];
}

/** Both read totals of all titles. */
export function titleTotalsRoutes(store: SeriesReader, now: () => number): Route[] {
  const totals = titleTotalsReader(store);
  return [
    route(operations.getOnlineSummary, ({ query }) => getOnlineSummary(store, totals, query.period, now())),
    route(operations.getRanking, ({ query }) => getRanking(store, totals, query, now())),
  ];
}

export function onlineUserRoutes(store: SeriesReader, now: () => number): Route[] {
  return [
    route(operations.getLatestActivity, ({ query }) => getLatestActivity(store, query, now())),
    route(operations.getTitleOnlineHistory, ({ params, query }) =>
      getTitleOnlineHistory(store, params.titleId, query, now()),
    ),
  ];
}

export function gamePeriodRoutes(store: SeriesReader, now: () => number): Route[] {
  return [
    route(operations.compareGames, ({ query }) => compareGames(store, query, now())),
    route(operations.getActivity, ({ params }) => getActivity(store, params.titleId, now())),
    route(operations.getGameRecords, ({ params }) => getGameRecords(store, params.titleId, now())),
  ];
}

export function matchRoutes(store: SeriesReader, now: () => number): Route[] {
  return [
    route(operations.listLobbies, ({ query }) => listLobbies(store, query, now())),
    route(operations.getMatches, ({ params }) => getMatches(store, params.titleId, now())),
    route(operations.getMatchHistory, ({ params, query }) => getMatchHistory(store, params.titleId, query, now())),
    route(operations.getMatchStats, ({ params }) => getMatchStats(store, params.titleId, now())),
    route(operations.getHost, ({ params }) => getHost(store, params.player, now())),
    route(operations.getDailyStats, ({ params, query }) => getDailyStats(store, params.titleId, query, now())),
  ];
}
