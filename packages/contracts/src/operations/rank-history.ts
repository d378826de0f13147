import { z } from 'zod';
import { networkId, NUMBER_MAX, tags } from '../primitives/keys.ts';
import { format, integer } from '../primitives/query.ts';
import { DAILY_DAYS_MAX, timestamp } from '../primitives/time.ts';
import { namedObject, publicGet, titleHead } from './fields.ts';
import { change } from './changes.ts';
import { playerNameParam } from './leaderboards.ts';
import { operation } from './operation.ts';

export const getRankHistory = operation({
  ...publicGet,
  id: 'getRankHistory',
  cache: 'coalesce',
  summary: 'Rank and rating of a player on a leaderboard over the last days, ascending',
  description:
    'Points are the player’s own changes, the end of each day on which the board changed, and the last reading of the board. Of a very large board, older days have only the player’s own changes. Of several entries of the name, the best rank counts.',
  varies: true,
  path: '/api/player/:player/rank-history',
  group: 'Leaderboards',
  sample: { query: { titleId: ':titleId', leaderboardId: ':leaderboardId' } },
  upstream: 'catalog-api',
  params: z.object({ player: playerNameParam }),
  query: z.object({
    titleId: z
      .string({ error: 'must be a title ID' })
      .toLowerCase()
      .meta({ description: 'Title ID of the leaderboard', example: '4d530064' }),
    leaderboardId: integer({ min: 0, max: NUMBER_MAX }).meta({ description: 'The board’s number' }),
    days: integer({ min: 1, max: DAILY_DAYS_MAX }).default(30),
    format,
  }),
  response: z.strictObject({
    playerName: z.string(),
    ...titleHead,
    leaderboardId: networkId,
    leaderboardName: z.string(),
    isTime: z.boolean(),
    days: z.int(),
    points: z.array(
      namedObject('RankPoint', {
        recorded_at: timestamp,
        rank: change.shape.newRank.meta({ description: 'Null: not on the board' }),
        rating: change.shape.newRating,
        timeMs: change.shape.newTimeMs.meta({ description: 'Milliseconds; null for a score' }),
      }),
    ),
  }),
  errors: { 404: 'There is no such game or board, or no player of the name was on it in these days' },
  rows: 'points',
  tags: [tags.everyChange, tags.everyBoard, tags.titles],
});
