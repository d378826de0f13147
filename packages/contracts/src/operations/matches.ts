import { z } from 'zod';
import { format, integer, offset } from '../primitives/query.ts';
import { DAILY_DAYS_MAX, date, HISTORY_HOURS_MAX, timestamp } from '../primitives/time.ts';
import {
  count,
  matchesOpen,
  matchIdField,
  matchPeakPlayers,
  maxPlayers,
  mean,
  namedObject,
  none,
  publicGet,
  summedPeakPlayers,
  titleHead,
  titleParams,
  uniqueHosts,
} from './fields.ts';
import { operation } from './operation.ts';
import { tags } from '../primitives/keys.ts';

const titleSeries = { ...publicGet, upstream: 'series-api', params: titleParams } as const;

const match = {
  hostName: z.string(),
  currentPlayers: count.meta({ description: 'In the latest snapshot' }),
  maxPlayers,
  timestamp,
};

export const getMatches = operation({
  ...titleSeries,
  id: 'getMatches',
  summary: 'Hosts seen in the last hour, each with its latest snapshot, newest first',
  path: '/api/title/:titleId/matches',
  group: 'Matches',
  gamePath: '/api/game/:game/matches',
  prefersTitleId: true,
  query: none,
  response: namedObject('MatchList', {
    ...titleHead,
    matches: z.array(namedObject('Match', { ...match, id: matchIdField })),
  }),
  tags: [tags.slots, tags.title(':titleId')],
});

export const getMatchHistory = operation({
  ...titleSeries,
  id: 'getMatchHistory',
  summary: 'Matches of the last hours, newest first: a match is a host’s unbroken run of snapshots',
  description:
    'A host that is seen again after more than 10 minutes of snapshots without it begins another match. Slots in which the matches of the game were not read, up to an hour in a row, neither end nor begin one; a longer outage ends all matches with their last snapshot. `timestamp` is `endedAt`, and `currentPlayers` the last count. All matches of those hours are returned unless `limit` is given.',
  path: '/api/title/:titleId/matches/history',
  group: 'Matches',
  sample: { query: { limit: '3' } },
  gamePath: '/api/game/:game/matches/history',
  query: z.object({
    hours: integer({ min: 1, max: HISTORY_HOURS_MAX }).default(24),
    limit: integer({ min: 1, max: 10_000 }).optional(),
    offset,
    format,
  }),
  response: z.strictObject({
    ...titleHead,
    hours: z.int(),
    total: count,
    matches: z.array(
      namedObject('PastMatch', {
        ...match,
        startedAt: timestamp,
        endedAt: timestamp,
        peakPlayers: matchPeakPlayers,
        id: matchIdField,
      }),
    ),
  }),
  rows: 'matches',
  tags: [tags.slots, tags.title(':titleId')],
});

export const getMatchStats = operation({
  ...titleSeries,
  id: 'getMatchStats',
  summary: 'Matches, peak players and unique hosts of the last 24 hours',
  path: '/api/title/:titleId/matches/stats',
  group: 'Matches',
  gamePath: '/api/game/:game/matches/stats',
  query: none,
  response: z.strictObject({
    ...titleHead,
    hours: z.literal(24),
    totalMatches: count.meta({ description: 'Matches with a snapshot in these 24 hours' }),
    peakPlayers: count.meta({
      description:
        'Most players in one snapshot of these hours, summed over all hosts, or `peakPlayers` of one of these matches, if that is higher: a match counts whole',
    }),
    uniqueHosts: uniqueHosts('these 24 hours'),
  }),
  tags: [tags.slots, tags.title(':titleId')],
});

export const getDailyStats = operation({
  ...titleSeries,
  id: 'getDailyStats',
  summary: 'One game’s daily statistics by UTC day, today so far included',
  path: '/api/title/:titleId/daily-stats',
  group: 'Matches',
  sample: { query: { days: '2' } },
  gamePath: '/api/game/:game/daily-stats',
  query: z.object({
    days: integer({ min: 1, max: DAILY_DAYS_MAX }).default(30),
    limit: integer({ min: 1, max: DAILY_DAYS_MAX }).optional(),
    format,
  }),
  response: z.strictObject({
    ...titleHead,
    days: z.int(),
    stats: z.array(
      namedObject('GameDay', {
        date,
        lobby_count: matchesOpen,
        peak_players: summedPeakPlayers,
        unique_hosts: uniqueHosts('that UTC day'),
        peak_online: count,
        average_online: mean,
      }),
    ),
  }),
  rows: 'stats',
  tags: [tags.slots, tags.daily, tags.title(':titleId')],
});
