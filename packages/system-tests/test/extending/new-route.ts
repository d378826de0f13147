import { integer, operation, tags, titleId, type OperationResponse } from '@lobbystats/contracts';
import { notFound, route, type Route } from '@lobbystats/service-kit';
import { z } from 'zod';

export const getBusyHours = operation({
  id: 'getBusyHours',
  summary: 'The hours of the day with the most users online in one game, the busiest first',
  method: 'GET',
  path: '/api/title/:titleId/busy-hours',
  gamePath: '/api/game/:game/busy-hours',
  upstream: 'series-api',
  audience: 'public',
  session: 'none',
  params: z.object({ titleId }),
  query: z.object({ limit: integer({ min: 1, max: 24 }).default(3) }),
  response: z.strictObject({ titleId, hours: z.array(z.int().min(0).max(23)) }),
  tags: [tags.slots, tags.title(':titleId')],
});

export interface HourStore {
  /** Busiest first; undefined for an unknown title. */
  busyHours(titleId: string): Promise<OperationResponse<typeof getBusyHours>['hours'] | undefined>;
}

export function busyHourRoutes(store: HourStore): Route[] {
  return [
    route(getBusyHours, async ({ params, query }) => {
      const hours = await store.busyHours(params.titleId);
      if (hours === undefined) throw notFound('title');
      return { body: { titleId: params.titleId, hours: hours.slice(0, query.limit) } };
    }),
  ];
}
