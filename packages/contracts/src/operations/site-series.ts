import { z } from 'zod';
import { format } from '../primitives/format.ts';
import { integer, resolution } from '../primitives/query.ts';
import { DAILY_DAYS_MAX, date, timestamp } from '../primitives/time.ts';
import { openLobbies } from './match-fields.ts';
import { operation } from './operation.ts';
import { tags } from './tags.ts';
import { none } from './title-fields.ts';

const count = z.int().nonnegative();

/** Present when `resolution` is not `raw`: the lowest and highest count of the bucket. */
export const bucketBounds = {
  min: count.optional().meta({ description: 'Lowest count of the bucket; absent with `raw`' }),
  max: count.optional().meta({ description: 'Highest count of the bucket; absent with `raw`' }),
};

/** Whether the points of a series are buckets, which have bounds. */
export function hasBucketBounds(query: { readonly resolution?: unknown }): boolean {
  return (query.resolution ?? 'raw') !== 'raw';
}

const daysOfSnapshots = z.object({ days: integer({ min: 1, max: 30 }).default(1), resolution, format });

export const getDailyRegistered = operation({
  id: 'getDailyRegistered',
  summary: 'Registered users, a count for each UTC day',
  method: 'GET',
  path: '/api/service-stats/daily-registered',
  owner: 'series-api',
  audience: 'public',
  session: 'none',
  params: none,
  query: z.object({ days: integer({ min: 1, max: DAILY_DAYS_MAX }).default(30), format }),
  answer: z.array(z.strictObject({ date, registered_count: count })),
  rows: '',
  tags: () => [tags.daily],
});

export const getOnlineSeries = operation({
  id: 'getOnlineSeries',
  summary: 'Users online over the last days, a snapshot every five minutes',
  method: 'GET',
  path: '/api/service-stats/online-24h',
  owner: 'series-api',
  audience: 'public',
  session: 'none',
  params: none,
  query: daysOfSnapshots,
  answer: z.array(z.strictObject({ recorded_at: timestamp, online_count: count, ...bucketBounds })),
  rows: '',
  hasOptionalFields: hasBucketBounds,
  tags: () => [tags.slots],
});

export const getLobbySeries = operation({
  id: 'getLobbySeries',
  summary: 'Open lobbies over the last days, a snapshot every five minutes',
  method: 'GET',
  path: '/api/service-stats/lobbies-24h',
  owner: 'series-api',
  audience: 'public',
  session: 'none',
  params: none,
  query: daysOfSnapshots,
  answer: z.array(z.strictObject({ recorded_at: timestamp, lobby_count: openLobbies, ...bucketBounds })),
  rows: '',
  hasOptionalFields: hasBucketBounds,
  tags: () => [tags.slots],
});
