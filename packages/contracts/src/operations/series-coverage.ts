import { z } from 'zod';
import { count, internalGet, none } from './fields.ts';
import { operation } from './operation.ts';

/**
 * Counts of what one instance of series-api has stored. Two instances store the same messages, so the one with fewer
 * slots or days has missed some or has not caught up.
 */
export const getSeriesCoverage = operation({
  ...internalGet,
  id: 'getSeriesCoverage',
  summary: 'How many slots and days an instance has stored',
  path: '/internal/series-coverage',
  upstream: 'series-api',
  params: none,
  query: none,
  response: z.strictObject({
    slots: count.meta({ description: 'Slots within the retention, without its oldest hour, which expires meanwhile' }),
    days: count.meta({ description: 'Days with statistics of the network' }),
    registeredDays: count.meta({ description: 'Days with a count of registered users' }),
  }),
  tags: () => [],
});
