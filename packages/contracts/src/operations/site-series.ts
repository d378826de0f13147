import { z } from 'zod';
import { format, integer, resolution } from '../primitives/query.ts';
import { DAILY_DAYS_MAX, date, timestamp } from '../primitives/time.ts';
import { count, matchesBegun, mean, namedObject, none, openLobbies, publicGet } from './fields.ts';
import { operation } from './operation.ts';
import { tags } from '../primitives/keys.ts';

const bucketBounds = {
  min: count.optional().meta({ description: 'Lowest count of the bucket; absent with `raw`' }),
  max: count.optional().meta({ description: 'Highest count of the bucket; absent with `raw`' }),
};

/** A snapshot, or a bucket. */
export const onlineCount = namedObject('OnlineCount', { recorded_at: timestamp, online_count: count, ...bucketBounds });

export function hasBucketBounds(query: { readonly resolution?: unknown }): boolean {
  return (query.resolution ?? 'raw') !== 'raw';
}

const siteSeries = { ...publicGet, upstream: 'series-api', params: none, rows: '' } as const;
const snapshotSeries = {
  ...siteSeries,
  query: z.object({ days: integer({ min: 1, max: 30 }).default(1), resolution, format }),
  hasOptionalFields: hasBucketBounds,
  tags: [tags.slots],
} as const;

export const getDailyRegistered = operation({
  ...siteSeries,
  id: 'getDailyRegistered',
  summary: 'Registered users, a count for each UTC day',
  path: '/api/service-stats/daily-registered',
  group: 'Site',
  sample: { query: { days: '5' } },
  query: z.object({ days: integer({ min: 1, max: DAILY_DAYS_MAX }).default(30), format }),
  response: z.array(namedObject('RegisteredCount', { date, registered_count: count })),
  tags: [tags.daily],
});

/** Ten years. */
const SITE_DAYS_MAX = 3650;

export const getDailyOnline = operation({
  ...siteSeries,
  id: 'getDailyOnline',
  summary: 'Users online, lobbies and matches of the network by UTC day, kept for years; today so far included',
  varies: true,
  path: '/api/service-stats/daily-online',
  group: 'Site',
  sample: { query: { days: '5' } },
  query: z.object({ days: integer({ min: 1, max: SITE_DAYS_MAX }).default(30), format }),
  response: z.array(
    namedObject('NetworkDay', {
      date,
      average_online: mean,
      peak_online: count,
      peak_online_at: timestamp,
      average_lobbies: mean.nullable().meta({ description: 'At most 2 decimals; null if never counted that day' }),
      peak_lobbies: count.nullable(),
      peak_lobbies_at: timestamp.nullable(),
      matches: matchesBegun,
    }),
  ),
  tags: [tags.slots, tags.daily],
});

export const getOnlineSeries = operation({
  ...snapshotSeries,
  id: 'getOnlineSeries',
  summary: 'Users online over the last days, a snapshot every five minutes',
  path: '/api/service-stats/online-24h',
  group: 'Site',
  sample: { query: { days: '1', resolution: '60' } },
  response: z.array(onlineCount),
});

export const getLobbySeries = operation({
  ...snapshotSeries,
  id: 'getLobbySeries',
  summary: 'Open lobbies over the last days, a snapshot every five minutes',
  path: '/api/service-stats/lobbies-24h',
  group: 'Site',
  sample: { query: { days: '1', resolution: '60' } },
  response: z.array(namedObject('LobbyCount', { recorded_at: timestamp, lobby_count: openLobbies, ...bucketBounds })),
});
