import { z } from 'zod';
import { format } from '../primitives/format.ts';
import { integer, offset } from '../primitives/query.ts';
import { DAILY_DAYS_MAX, date, timestamp } from '../primitives/time.ts';
import { matchesBegun, matchPeakPlayers, maxPlayers, summedPeakPlayers, uniqueHosts } from './match-fields.ts';
import { operation } from './operation.ts';
import { tags } from './tags.ts';
import { none, titleHead, titleParams } from './title-fields.ts';

const count = z.int().nonnegative();

const match = {
  hostName: z.string(),
  currentPlayers: count.meta({ description: 'In the latest snapshot' }),
  maxPlayers,
  timestamp,
};

export const getMatches = operation({
  id: 'getMatches',
  summary: 'Hosts seen in the last hour, each with its latest snapshot, newest first',
  method: 'GET',
  path: '/api/title/:titleId/matches',
  gamePath: '/api/game/:game/matches',
  owner: 'series-api',
  audience: 'public',
  session: 'none',
  params: titleParams,
  query: none,
  answer: z.strictObject({ ...titleHead, matches: z.array(z.strictObject(match)) }),
  tags: ({ titleId }) => [tags.slots, tags.title(titleId)],
});

export const getMatchHistory = operation({
  id: 'getMatchHistory',
  summary: 'Matches of the last hours, newest first: a match is a host’s unbroken run of snapshots',
  description:
    'A gap of more than 10 minutes begins another match. `timestamp` is `endedAt`, and `currentPlayers` the last count. All matches of those hours are returned unless `limit` is given.',
  method: 'GET',
  path: '/api/title/:titleId/matches/history',
  gamePath: '/api/game/:game/matches/history',
  owner: 'series-api',
  audience: 'public',
  session: 'none',
  params: titleParams,
  query: z.object({
    hours: integer({ min: 1, max: 720 }).default(24),
    limit: integer({ min: 1, max: 10_000 }).optional(),
    offset,
    format,
  }),
  answer: z.strictObject({
    ...titleHead,
    hours: z.int(),
    total: count,
    matches: z.array(
      z.strictObject({ ...match, startedAt: timestamp, endedAt: timestamp, peakPlayers: matchPeakPlayers }),
    ),
  }),
  rows: 'matches',
  tags: ({ titleId }) => [tags.slots, tags.title(titleId)],
});

export const getMatchStats = operation({
  id: 'getMatchStats',
  summary: 'Matches, peak players and unique hosts of the last 24 hours',
  method: 'GET',
  path: '/api/title/:titleId/matches/stats',
  gamePath: '/api/game/:game/matches/stats',
  owner: 'series-api',
  audience: 'public',
  session: 'none',
  params: titleParams,
  query: none,
  answer: z.strictObject({
    ...titleHead,
    hours: z.literal(24),
    totalMatches: count.meta({ description: 'Matches with a snapshot in these 24 hours' }),
    peakPlayers: summedPeakPlayers,
    uniqueHosts: uniqueHosts('these 24 hours'),
  }),
  tags: ({ titleId }) => [tags.slots, tags.title(titleId)],
});

export const getDailyStats = operation({
  id: 'getDailyStats',
  summary: 'One game’s daily statistics by UTC day, today so far included',
  method: 'GET',
  path: '/api/title/:titleId/daily-stats',
  gamePath: '/api/game/:game/daily-stats',
  owner: 'series-api',
  audience: 'public',
  session: 'none',
  params: titleParams,
  query: z.object({
    days: integer({ min: 1, max: DAILY_DAYS_MAX }).default(30),
    limit: integer({ min: 1, max: DAILY_DAYS_MAX }).optional(),
    format,
  }),
  answer: z.strictObject({
    ...titleHead,
    days: z.int(),
    stats: z.array(
      z.strictObject({
        date,
        lobby_count: matchesBegun,
        peak_players: summedPeakPlayers,
        unique_hosts: uniqueHosts('that UTC day'),
        peak_online: count,
        average_online: z.number().nonnegative().meta({ description: 'At most 2 decimals' }),
      }),
    ),
  }),
  rows: 'stats',
  tags: ({ titleId }) => [tags.slots, tags.daily, tags.title(titleId)],
});
