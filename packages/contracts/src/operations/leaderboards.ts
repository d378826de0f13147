import { z } from 'zod';
import { networkId, pathId, tags, titleId } from '../primitives/keys.ts';
import { excludedBy, format, integer, oneOf, optionalOffset, trimmedText } from '../primitives/query.ts';
import { date, timestamp } from '../primitives/time.ts';
import { count, gameName, namedObject, none, publicGet, titleHead, titleParams } from './fields.ts';
import { operation } from './operation.ts';

/** Default page size around a player. */
export const AROUND_LIMIT = 25;
/** Each has a search for its change. */
const DATED_ENTRIES_MAX = 100;
/** Bounds the names that are read from the network, and those of requests: each stored name has its routes. */
export const PLAYER_NAME_MAX = 200;
export const playerNameParam = trimmedText(PLAYER_NAME_MAX);

export const entryRating = {
  rating: z.string().meta({ description: 'As the network has it' }),
  timeMs: count.meta({ description: 'Milliseconds; 0 for a score' }),
  timeFormatted: z.string().meta({ description: 'm:ss.mmm, minutes unpadded; "" for a score', example: '0:49.300' }),
  isTime: z.boolean().meta({ description: 'A time, not a score' }),
};

const titleBoards = {
  ...publicGet,
  upstream: 'catalog-api',
  params: titleParams,
  tags: [tags.boards(':titleId'), tags.title(':titleId')],
} as const;

/** A page is found by its offset or by a name on it. */
export const aroundExcluded = excludedBy('around', 'offset');

export const getTitleStats = operation({
  ...titleBoards,
  id: 'getTitleStats',
  summary: 'How many leaderboards and entries a game has',
  path: '/api/title/:titleId/stats',
  group: 'Leaderboards',
  gamePath: '/api/game/:game/stats',
  query: none,
  response: namedObject('LeaderboardStats', {
    ...titleHead,
    leaderboard_count: count,
    total_entries: count.meta({ description: 'Entries of all its boards' }),
    time_entries: count.meta({ description: 'Those that are times' }),
    score_entries: count.meta({ description: 'Those that are scores' }),
  }),
});

export const listLeaderboards = operation({
  ...titleBoards,
  id: 'listLeaderboards',
  summary: 'A game’s leaderboards, by id',
  path: '/api/title/:titleId/leaderboards',
  group: 'Leaderboards',
  gamePath: '/api/game/:game/leaderboards',
  query: none,
  response: z.array(namedObject('LeaderboardSummary', { id: networkId, name: z.string(), titleId, gameName })),
});

export const getLeaderboard = operation({
  ...titleBoards,
  id: 'getLeaderboard',
  summary: 'A leaderboard in the network’s order, as it stands or as it stood at the end of a day',
  path: '/api/title/:titleId/leaderboard/:leaderboardId',
  group: 'Leaderboards',
  sample: { query: { limit: '3' } },
  gamePath: '/api/game/:game/leaderboard/:leaderboardId',
  params: z.object({ titleId, leaderboardId: pathId }),
  query: z
    .object({
      limit: integer({ min: 1, max: 1000 }).optional(),
      offset: optionalOffset,
      around: playerNameParam
        .optional()
        .meta({ description: `The page centred on that player. ${aroundExcluded.text}` }),
      at: date.optional().meta({ description: 'As it stood at the end of that UTC day' }),
      dates: oneOf(['with'])
        .optional()
        .meta({ description: `\`with\`: entries have \`since\`; needs a limit of at most ${DATED_ENTRIES_MAX}` }),
      format,
    })
    .superRefine(aroundExcluded.check)
    .superRefine(({ dates, limit, around }, context) => {
      if (dates === undefined || (limit ?? (around === undefined ? Infinity : AROUND_LIMIT)) <= DATED_ENTRIES_MAX)
        return;
      context.addIssue({ code: 'custom', path: ['dates'], message: `needs a limit of at most ${DATED_ENTRIES_MAX}` });
    }),
  response: z.strictObject({
    ...titleHead,
    leaderboardId: z.string(),
    name: z.string(),
    entries: z.array(
      namedObject('LeaderboardEntry', {
        rank: z.string(),
        name: z.string(),
        ...entryRating,
        since: timestamp.nullable().optional().meta({
          description:
            'With `dates`: when a reading first found the entry with this rating; null: it is older than the known changes',
        }),
      }),
    ),
    total: count.meta({ description: 'Entries of the whole board' }),
    observed_at: timestamp.optional().meta({
      description:
        'The last successful reading of the board from the network, whether or not it found a change, UTC; absent for a past day',
    }),
  }),
  errors: {
    404: 'There is no such game or board, the board had not been seen by that day, or no player of the name in `around` is on it',
  },
  rows: 'entries',
});
