import { z } from 'zod';
import { isTitleId, tags } from '../primitives/keys.ts';
import { format, integer, limit, oneOf, resolution, resolutions } from '../primitives/query.ts';
import { SLOTS_PER_DAY } from '../primitives/time.ts';
import { count, mean, namedObject, none, publicGet, titleHead, titleParams } from './fields.ts';
import { getTitleOnlineHistory } from './online-users.ts';
import { operation } from './operation.ts';

export const ACTIVITY_DAYS = 28;

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export const getActivity = operation({
  ...publicGet,
  id: 'getActivity',
  summary: 'Users online in one game by weekday and hour (UTC), over the last 28 days',
  description: 'From Monday, 0 to 1 h, to Sunday, 23 to 24 h. Hours without snapshots are absent.',
  varies: true,
  path: '/api/title/:titleId/activity',
  group: 'Online',
  gamePath: '/api/game/:game/activity',
  upstream: 'series-api',
  params: titleParams,
  query: z.object({ format }),
  response: namedObject('WeeklyActivity', {
    ...titleHead,
    days: z.literal(ACTIVITY_DAYS),
    hours: z.array(
      namedObject('ActivityHour', {
        weekday: z.enum(weekdays),
        hour: z.int().min(0).max(23),
        average_online: mean,
        peak_online: count,
      }),
    ),
  }),
  rows: 'hours',
  tags: [tags.slots, tags.title(':titleId')],
});

const rankingPeriods = ['24h', '7d', '30d'] as const;
/** Maximum of games in one ranking. */
export const RANKED_GAMES_MAX = 1000;
const rankingMeasures = ['mean', 'peak', 'hours'] as const;

export const getRanking = operation({
  ...publicGet,
  id: 'getRanking',
  summary: 'Games by users online over a period, with the change to the period before',
  description:
    'Equal values share a rank. The period before `30d` is the 30 UTC days that end before it; a period of which less than nine tenths is stored is not compared with.',
  path: '/api/games/ranking',
  group: 'Games',
  sample: { query: { limit: '3' } },
  upstream: 'series-api',
  params: none,
  query: z.object({
    period: oneOf(rankingPeriods).default('24h').meta({ description: 'The last 24 hours, 7 days or 30 days' }),
    by: oneOf(rankingMeasures).default('mean').meta({ description: 'The field to rank by' }),
    limit: limit({ max: RANKED_GAMES_MAX, default: 25 }),
    format,
  }),
  response: z.strictObject({
    period: z.enum(rankingPeriods),
    by: z.enum(rankingMeasures),
    total: count.meta({ description: 'Games with snapshots in the period' }),
    games: z.array(
      namedObject('RankedGame', {
        rank: z.int().min(1),
        ...titleHead,
        mean: mean.meta({ description: 'Mean of the users online, at most 2 decimals' }),
        peak: count.meta({ description: 'Most users online at once' }),
        hours: mean.meta({ description: 'Hours played by all users together, at most 2 decimals' }),
        previous: mean.nullable().meta({ description: 'The same measure in the period before; null if not stored' }),
        change: z.number().nullable().meta({ description: 'Difference to `previous`' }),
      }),
    ),
  }),
  rows: 'games',
  tags: [tags.slots, tags.daily, tags.titles],
});

export const COMPARED_GAMES_MAX = 6;
const titleIdsMessage = `must be 1 to ${COMPARED_GAMES_MAX} title IDs, separated by commas`;

const titleIds = z
  .string({ error: titleIdsMessage })
  .transform((text) => [...new Set(text.toLowerCase().split(','))])
  .refine((ids) => ids.length <= COMPARED_GAMES_MAX && ids.every(isTitleId), titleIdsMessage)
  .meta({
    type: 'string',
    pattern: `^[0-9a-fA-F]{8}(,[0-9a-fA-F]{8}){0,${COMPARED_GAMES_MAX - 1}}$`,
    description: `1 to ${COMPARED_GAMES_MAX} title IDs, separated by commas`,
    example: '4d530064,4e420002',
  });

export const compareGames = operation({
  ...publicGet,
  id: 'compareGames',
  summary: 'Users online in up to six games over the last days, in the order asked for',
  path: '/api/games/compare',
  group: 'Games',
  sample: { query: { titleIds: ':titleId,:otherTitleId', days: '1', resolution: '60' } },
  upstream: 'series-api',
  params: none,
  query: z.object({ titleIds, days: integer({ min: 1, max: 30 }).default(1), resolution }),
  points: ({ titleIds: ids, days = 1 }) => String(ids).split(',').length * Number(days) * SLOTS_PER_DAY,
  errors: { 404: 'There is no title of one of these IDs' },
  response: namedObject('Comparison', {
    days: z.int(),
    resolution: z.enum(resolutions),
    games: z.array(
      namedObject('ComparedGame', { ...titleHead, history: getTitleOnlineHistory.response.shape.history }),
    ),
  }),
  tags: [tags.slots, tags.titles],
});
