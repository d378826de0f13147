import { z } from 'zod';
import { count, internalGet, none } from './fields.ts';
import { operation, type OperationResponse } from './operation.ts';

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
  tags: [],
});

/** Counts of what an instance has stored. */
export type Coverage = OperationResponse<typeof getSeriesCoverage>;

/** In order of weight, for instances of which each lacks something. */
const MEASURES = ['slots', 'days', 'registeredDays'] as const satisfies readonly (keyof Coverage)[];

/** True when the first instance has stored more slots, days or days with registered users than the other. */
export function hasStoredMore(one: Coverage, other: Coverage): boolean {
  return MEASURES.some((measure) => one[measure] > other[measure]);
}

/** For sorting: positive when the first instance has stored more. Undefined counts as less than nothing. */
export function compareCoverage(one: Coverage | undefined, other: Coverage | undefined): number {
  for (const measure of MEASURES) {
    const difference = (one?.[measure] ?? -1) - (other?.[measure] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
