import { integer, operation } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { z } from 'zod';

const getBusyHours = operation({
  id: 'getBusyHours',
  summary: 'The hours of the day with the most players',
  method: 'GET',
  path: '/api/title/:titleId/busy-hours',
  gamePath: '/api/game/:game/busy-hours',
  upstream: 'series-api',
  audience: 'public',
  session: 'none',
  params: z.object({ titleId: z.string() }),
  query: z.object({ limit: integer({ min: 1, max: 24 }).default(3) }),
  response: z.strictObject({ titleId: z.string(), hours: z.array(z.int()) }),
  tags: () => ['slots'],
});

export const busyHours = route(getBusyHours, ({ params, query }) =>
  Promise.resolve({ body: { titleId: params.titleId, hours: [20, 21, 19].slice(0, query.limit) } }),
);
