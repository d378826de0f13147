import { z } from 'zod';
import { networkId, pathId } from '../primitives/board-id.ts';
import { format } from '../primitives/format.ts';
import { givenOffset, integer, typedText } from '../primitives/query.ts';
import { date, timestamp } from '../primitives/time.ts';
import { titleId } from '../primitives/title-id.ts';
import { operation } from './operation.ts';
import { tags } from './tags.ts';
import { gameName, none, titleHead, titleParams } from './title-fields.ts';

const count = z.int().nonnegative();

/** A page of a board around a player has so many entries, unless a limit is given. */
export const AROUND_LIMIT = 25;
/** The longest name of a player that can be asked for, in characters. */
export const PLAYER_NAME_MAX = 64;
/** A player's name that is asked for. */
export const typedPlayer = typedText(PLAYER_NAME_MAX);

/** How an entry is rated: a time, or a score with `timeMs` 0 and `timeFormatted` "". */
export const entryRating = {
  rating: z.string().meta({ description: 'As the network has it' }),
  timeMs: count.meta({ description: 'Milliseconds; 0 for a score' }),
  timeFormatted: z.string().meta({ description: 'm:ss.mmm, minutes unpadded; "" for a score', example: '0:49.300' }),
  isTime: z.boolean().meta({ description: 'A time, not a score' }),
};

export const getTitleStats = operation({
  id: 'getTitleStats',
  summary: 'How many leaderboards and entries a game has',
  method: 'GET',
  path: '/api/title/:titleId/stats',
  gamePath: '/api/game/:game/stats',
  owner: 'catalog-api',
  audience: 'public',
  session: 'none',
  params: titleParams,
  query: none,
  answer: z.strictObject({
    ...titleHead,
    leaderboard_count: count,
    total_entries: count.meta({ description: 'Entries of all its boards' }),
    time_entries: count.meta({ description: 'Those that are times' }),
    score_entries: count.meta({ description: 'Those that are scores' }),
  }),
  tags: ({ titleId }) => [tags.boards(titleId), tags.title(titleId)],
});

export const listLeaderboards = operation({
  id: 'listLeaderboards',
  summary: 'A game’s leaderboards, by id',
  method: 'GET',
  path: '/api/title/:titleId/leaderboards',
  gamePath: '/api/game/:game/leaderboards',
  owner: 'catalog-api',
  audience: 'public',
  session: 'none',
  params: titleParams,
  query: none,
  answer: z.array(z.strictObject({ id: networkId, name: z.string(), titleId, gameName })),
  tags: ({ titleId }) => [tags.boards(titleId), tags.title(titleId)],
});

export const getLeaderboard = operation({
  id: 'getLeaderboard',
  summary: 'A leaderboard in the network’s order, as it stands or as it stood at the end of a day',
  method: 'GET',
  path: '/api/title/:titleId/leaderboard/:leaderboardId',
  gamePath: '/api/game/:game/leaderboard/:leaderboardId',
  owner: 'catalog-api',
  audience: 'public',
  session: 'none',
  params: z.object({ titleId, leaderboardId: pathId }),
  query: z
    .object({
      limit: integer({ min: 1, max: 1000 }).optional(),
      offset: givenOffset,
      around: typedPlayer.optional().meta({ description: 'The page centred on that player' }),
      at: date.optional().meta({ description: 'As it stood at the end of that UTC day' }),
      format,
    })
    .superRefine(({ around, offset }, context) => {
      if (around === undefined || offset === undefined) return;
      context.addIssue({ code: 'custom', path: ['around'], message: "can't be given with offset" });
    }),
  answer: z.strictObject({
    ...titleHead,
    leaderboardId: z.string(),
    name: z.string(),
    entries: z.array(z.strictObject({ rank: z.string(), name: z.string(), ...entryRating })),
    total: count.meta({ description: 'Entries of the whole board' }),
    observed_at: timestamp.optional().meta({
      description:
        'The last successful reading of the board from the network, whether or not it found a change, UTC; absent for a past day',
    }),
  }),
  refusals: {
    404: 'There is no such game or board, the board had not been seen by that day, or nobody of the name in `around` is on it',
  },
  rows: 'entries',
  tags: ({ titleId }) => [tags.boards(titleId), tags.title(titleId)],
});
