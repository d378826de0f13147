import { operations } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import { getDailyStats } from '../domain/daily-stats.ts';
import { getMatches, getMatchHistory, getMatchStats } from '../domain/matches.ts';
import type { SeriesReader } from '../domain/series-reader.ts';

export function matchRoutes(store: SeriesReader, now: () => number): Route[] {
  return [
    route(operations.getMatches, ({ params }) => getMatches(store, params.titleId, now())),
    route(operations.getMatchHistory, ({ params, query }) => getMatchHistory(store, params.titleId, query, now())),
    route(operations.getMatchStats, ({ params }) => getMatchStats(store, params.titleId, now())),
    route(operations.getDailyStats, ({ params, query }) => getDailyStats(store, params.titleId, query, now())),
  ];
}
