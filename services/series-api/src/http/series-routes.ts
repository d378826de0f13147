import { operations } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import { getHost } from '../domain/hostings.ts';
import type { SeriesReader } from '../domain/series-store.ts';
import { getDailyRegistered, getLobbySeries, getOnlineSeries, getTitleOnlineHistory } from '../domain/site-series.ts';
import { getLatestActivity, getOnlineSummary } from '../domain/online-users.ts';
import { getDailyStats, getMatches, getMatchHistory, getMatchStats } from '../domain/matches.ts';

export function siteSeriesRoutes(store: SeriesReader, now: () => number): Route[] {
  return [
    route(operations.getDailyRegistered, ({ query }) => getDailyRegistered(store, query, now())),
    route(operations.getOnlineSeries, ({ query }) => getOnlineSeries(store, query, now())),
    route(operations.getLobbySeries, ({ query }) => getLobbySeries(store, query, now())),
  ];
}

export function onlineUserRoutes(store: SeriesReader, now: () => number): Route[] {
  return [
    route(operations.getLatestActivity, () => getLatestActivity(store, now())),
    route(operations.getOnlineSummary, ({ query }) => getOnlineSummary(store, query.period, now())),
    route(operations.getTitleOnlineHistory, ({ params, query }) =>
      getTitleOnlineHistory(store, params.titleId, query, now()),
    ),
  ];
}

export function matchRoutes(store: SeriesReader, now: () => number): Route[] {
  return [
    route(operations.getMatches, ({ params }) => getMatches(store, params.titleId, now())),
    route(operations.getMatchHistory, ({ params, query }) => getMatchHistory(store, params.titleId, query, now())),
    route(operations.getMatchStats, ({ params }) => getMatchStats(store, params.titleId, now())),
    route(operations.getHost, ({ params }) => getHost(store, params.player, now())),
    route(operations.getDailyStats, ({ params, query }) => getDailyStats(store, params.titleId, query, now())),
  ];
}
