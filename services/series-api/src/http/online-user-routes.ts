import { operations } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import { getLatestActivity } from '../domain/latest-activity.ts';
import { getOnlineSummary } from '../domain/online-summary.ts';
import type { SeriesReader } from '../domain/series-reader.ts';
import { getTitleOnlineHistory } from '../domain/title-online-history.ts';

export function onlineUserRoutes(store: SeriesReader, now: () => number): Route[] {
  return [
    route(operations.getLatestActivity, () => getLatestActivity(store, now())),
    route(operations.getOnlineSummary, ({ query }) => getOnlineSummary(store, query.period, now())),
    route(operations.getTitleOnlineHistory, ({ params, query }) =>
      getTitleOnlineHistory(store, params.titleId, query, now()),
    ),
  ];
}
