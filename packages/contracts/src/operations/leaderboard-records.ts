import { z } from 'zod';
import { networkId, pathId, tags, titleId } from '../primitives/keys.ts';
import { format, limit } from '../primitives/query.ts';
import { timestamp } from '../primitives/time.ts';
import { count, internalGet, namedObject, none, publicGet, titleHead, titleParams } from './fields.ts';
import { entryRating } from './leaderboards.ts';
import { operation } from './operation.ts';

export const getLeaderboardRecords = operation({
  ...publicGet,
  id: 'getLeaderboardRecords',
  summary: 'The records of a leaderboard: holder of rank 1, since when, and rating, newest first',
  description:
    'A better rating of the same holder is another record. A record that fell on the UTC day on which it was set is not listed. Of a very large board, older days are not read.',
  path: '/api/title/:titleId/leaderboard/:leaderboardId/records',
  group: 'Leaderboards',
  gamePath: '/api/game/:game/leaderboard/:leaderboardId/records',
  upstream: 'catalog-api',
  params: z.object({ titleId, leaderboardId: pathId }),
  query: z.object({ limit: limit({ max: 500, default: 50 }), format }),
  response: z.strictObject({
    ...titleHead,
    leaderboardId: z.string(),
    name: z.string(),
    total: count.meta({ description: 'All listed records' }),
    records: z.array(
      namedObject('LeaderboardRecord', {
        playerName: z.string(),
        ...entryRating,
        since: timestamp,
        source: z.enum(['change', 'day', 'first']).meta({
          description:
            '`change`: the entry took rank 1 by its own rating, found by the reading at `since`. `day`: the entries above it were removed on the UTC day of `since`. `first`: it was rank 1 on the first known day, which ends at `since`, and may be older',
        }),
        until: timestamp.nullable().meta({ description: 'When it lost rank 1; null: it still has it' }),
      }),
    ),
  }),
  errors: { 404: 'There is no such game or board' },
  rows: 'records',
  tags: [tags.boards(':titleId'), tags.changes(':titleId'), tags.title(':titleId')],
});

/** For pages that list changes. */
export const listRecords = operation({
  ...internalGet,
  id: 'listRecords',
  summary: 'Which of some changes are records, and the entry that each has beaten',
  path: '/internal/records',
  upstream: 'catalog-api',
  params: none,
  query: z.object({
    ids: z
      .string()
      .regex(/^\d{1,15}(,\d{1,15})*$/)
      .transform((text) => text.split(',').map(Number))
      .meta({ type: 'string', description: 'Of changes, separated by commas', example: '4711' }),
  }),
  sample: { query: { ids: '1,2,3' } },
  response: z.array(
    z.strictObject({
      id: z.int().positive(),
      beaten: z.strictObject({ playerName: z.string(), rating: z.string(), timeMs: count }),
    }),
  ),
  tags: [tags.everyChange, tags.everyBoard],
});

/** For the page of a game. */
export const listRecordHolders = operation({
  ...internalGet,
  id: 'listRecordHolders',
  summary: 'The leaderboards of a game by id, each with its record and how many entries it has',
  path: '/internal/title/:titleId/record-holders',
  upstream: 'catalog-api',
  params: titleParams,
  query: none,
  response: z.array(
    z.strictObject({
      leaderboardId: networkId,
      name: z.string(),
      entries: count,
      record: z
        .strictObject({
          playerName: z.string(),
          ...entryRating,
          since: timestamp
            .nullable()
            .meta({ description: 'When a change made it rank 1 with this rating; null: no known one did' }),
          isShared: z.boolean().meta({ description: 'Others are rank 1, too' }),
        })
        .nullable()
        .meta({ description: 'Null without entries' }),
    }),
  ),
  tags: [tags.boards(':titleId'), tags.changes(':titleId'), tags.title(':titleId')],
});
