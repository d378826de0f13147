import { operations, READ_TIMEOUT_MS } from '@lobbystats/contracts';
import { route, routeTimeout, type Route } from '@lobbystats/service-kit';
import { getDailyOnline, getDailyRegistered, getDailyStats } from './days/days.ts';
import { getGameRecords, getNetworkRecords } from './days/records.ts';
import { getLatestActivity } from './live/activity.ts';
import { listLobbies } from './live/lobbies.ts';
import { getNow } from './live/now.ts';
import { getHost } from './matches/hostings.ts';
import { getMatches, getMatchHistory, getMatchStats } from './matches/matches.ts';
import type { SeriesStore } from './open-store.ts';
import { getActivity } from './slots/activity.ts';
import { compareGames, getLobbySeries, getOnlineSeries, getTitleOnlineHistory } from './slots/site-series.ts';
import { getRanking } from './totals/ranking.ts';
import { getOnlineSummary } from './totals/summary.ts';
import { titleTotalsReader } from './totals/title-totals.ts';

export function seriesRoutes(store: SeriesStore, now: () => number): Route[] {
  const totals = titleTotalsReader(store);
  const routes = [
    route(operations.getNow, () => getNow(store, now())),
    route(operations.getDailyRegistered, ({ query }) => getDailyRegistered(store, query, now())),
    route(operations.getDailyOnline, ({ query }) => getDailyOnline(store, query, now())),
    route(operations.getNetworkRecords, () => getNetworkRecords(store, now())),
    route(operations.getOnlineSeries, ({ query }) => getOnlineSeries(store, query, now())),
    route(operations.getLobbySeries, ({ query }) => getLobbySeries(store, query, now())),
    route(operations.getLatestActivity, ({ query }) => getLatestActivity(store, query, now())),
    route(operations.getTitleOnlineHistory, ({ params, query }) =>
      getTitleOnlineHistory(store, params.titleId, query, now()),
    ),
    route(operations.getOnlineSummary, ({ query }) => getOnlineSummary(store, totals, query.period, now())),
    route(operations.getRanking, ({ query }) => getRanking(store, totals, query, now())),
    route(operations.compareGames, ({ query }) => compareGames(store, query, now())),
    route(operations.getActivity, ({ params }) => getActivity(store, params.titleId, now())),
    route(operations.getGameRecords, ({ params }) => getGameRecords(store, params.titleId, now())),
    route(operations.listLobbies, ({ query }) => listLobbies(store, query, now())),
    route(operations.getMatches, ({ params }) => getMatches(store, params.titleId, now())),
    route(operations.getMatchHistory, ({ params, query }) => getMatchHistory(store, params.titleId, query, now())),
    route(operations.getMatchStats, ({ params }) => getMatchStats(store, params.titleId, now())),
    route(operations.getHost, ({ params }) => getHost(store, params.player, now())),
    route(operations.getDailyStats, ({ params, query }) => getDailyStats(store, params.titleId, query, now())),
  ];
  return routes.map((one) => routeTimeout(one, READ_TIMEOUT_MS));
}
