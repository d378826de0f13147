import { operations } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import type { SeriesReader } from '../domain/series-reader.ts';
import { getDailyRegistered, getLobbySeries, getOnlineSeries } from '../domain/site-series.ts';

export function siteSeriesRoutes(store: SeriesReader, now: () => number): Route[] {
  return [
    route(operations.getDailyRegistered, ({ query }) => getDailyRegistered(store, query, now())),
    route(operations.getOnlineSeries, ({ query }) => getOnlineSeries(store, query, now())),
    route(operations.getLobbySeries, ({ query }) => getLobbySeries(store, query, now())),
  ];
}
