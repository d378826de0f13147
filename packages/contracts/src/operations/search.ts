import { z } from 'zod';
import { nameKey, networkId, NUMBER_MAX, tags, titleFilter, titleId } from '../primitives/keys.ts';
import { codePointLength, integer, integerOrText, limit, pageCursor } from '../primitives/query.ts';
import { raceTime } from '../primitives/time.ts';
import { gameFilters, count, gameName, namedObject, none, publicGet } from './fields.ts';
import { entryRating, playerNameParam } from './leaderboards.ts';
import { operation } from './operation.ts';

export const SEARCH_PLAYERS_MAX = 20;

const rank = z.int().min(1);
const tolerance = integer({ min: 0, max: 60_000 });
export const SEARCH_ROWS_MAX = 500;
const searchLimit = limit({ max: SEARCH_ROWS_MAX, default: 100 });

const board = { titleId, gameName, leaderboardId: networkId, leaderboardName: z.string() };
export const boardRow = namedObject('LeaderboardRow', { ...board, playerName: z.string(), rank, ...entryRating });

const cursor = pageCursor
  .optional()
  .meta({ description: '`start` for the first page and its total, then `nextCursor` of the page before' });

/** With a `cursor` alone, so that other answers stay as they are. */
const page = {
  total: count.optional().meta({ description: 'Rows on all pages; absent without a `cursor`' }),
  limit: z.int().optional(),
  hasMore: z.boolean().optional(),
  nextCursor: z.string().nullable().optional().meta({ description: 'Where the next page begins; null on the last' }),
};

const search = {
  ...publicGet,
  upstream: 'catalog-api',
  params: none,
  tags: [tags.everyBoard, tags.titles],
} as const;

const namesMessage = 'must be names, separated by commas';

/** Twenty of them in a query; a longer name has its own routes. */
const SEARCHED_NAME_MAX = 64;

export const playerNames = z
  .string({ error: namesMessage })
  .transform((text) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
  .refine((names) => names.length > 0, namesMessage)
  .refine(
    (names) => names.every((name) => codePointLength(name) <= SEARCHED_NAME_MAX),
    `must be of 1 to ${SEARCHED_NAME_MAX} characters each`,
  )
  .refine((names) => names.length <= SEARCH_PLAYERS_MAX, `must be at most ${SEARCH_PLAYERS_MAX}`)
  .transform((names) => {
    const keys = names.map(nameKey);
    return names.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
  })
  .meta({
    type: 'string',
    minLength: 1,
    description: `1 to ${SEARCH_PLAYERS_MAX} names, separated by commas; empty ones are ignored`,
  });

export const searchByTime = operation({
  ...search,
  id: 'searchByTime',
  hasTimestamps: false,
  summary: 'Entries whose time is near a time, nearest first',
  path: '/api/search/time',
  group: 'Search',
  sample: { query: { time: ':time', tolerance: '500', limit: '3' } },
  query: z.object({
    time: raceTime,
    tolerance: tolerance.default(0),
    ...gameFilters,
    limit: searchLimit,
    cursor,
  }),
  errors: { 404: 'There is no title of that ID' },
  response: namedObject('TimeSearch', {
    searchTime: z.string(),
    searchTimeMs: count,
    tolerance: count,
    results: z.array(boardRow),
    count,
    truncated: z.boolean().meta({ description: 'There are more than were asked for' }),
    ...page,
  }),
});

export const searchByPlayers = operation({
  ...search,
  id: 'searchByPlayers',
  hasTimestamps: false,
  summary: 'Entries of up to 20 players; with a tolerance, those that stand within it of each other',
  path: '/api/search/players',
  group: 'Search',
  sample: { query: { names: ':player,:otherPlayer', limit: '3' } },
  query: z.object({
    names: playerNames,
    tolerance: tolerance.optional(),
    ...gameFilters,
    limit: searchLimit,
    cursor,
  }),
  errors: { 404: 'There is no title of that ID' },
  response: namedObject('PlayerSearch', {
    names: z.array(z.string()),
    tolerance: count.nullable(),
    titleId: titleId.nullable(),
    results: z.array(boardRow),
    count,
    truncated: z.boolean(),
    ...page,
  }),
});

const rankedPlayer = z.object({
  playerName: playerNameParam,
  rank: integerOrText({ min: 1, max: NUMBER_MAX }).meta({ description: 'An integer, or the text of one' }),
});

export const searchByRanks = operation({
  ...search,
  id: 'searchByRanks',
  hasTimestamps: false,
  summary: 'Boards on which players stand at given ranks, those with the most first',
  method: 'POST',
  path: '/api/search/query',
  group: 'Search',
  sample: { body: { players: [{ playerName: ':otherPlayer', rank: 1 }], titleId: ':titleId' } },
  query: none,
  body: z.object({
    players: z.array(rankedPlayer).min(1, 'must be 1 to 20').max(SEARCH_PLAYERS_MAX, 'must be 1 to 20'),
    titleId: titleFilter,
  }),
  errors: { 404: 'There is no title of that ID' },
  response: namedObject('RankSearch', {
    players: z.array(namedObject('PlayerRank', { playerName: z.string(), rank })),
    titleId: titleId.nullable(),
    results: z.array(
      namedObject('RankSearchBoard', { ...board, matchedCount: z.int().positive(), matches: z.array(boardRow) }),
    ),
    count,
  }),
});

export const searchOnePlayer = operation({
  ...search,
  id: 'searchOnePlayer',
  cache: 'coalesce',
  summary: 'Every board that a player is on',
  path: '/api/datasearch/player/:player',
  group: 'Search',
  params: z.object({ player: z.string() }),
  query: none,
  response: namedObject('PlayerBoards', {
    results: z.array(
      namedObject('PlayerBoard', {
        id: count.meta({ description: 'Place in this answer, from 1' }),
        title_id: titleId,
        game_name: gameName,
        leaderboard_id: networkId,
        leaderboard_name: z.string(),
        rank,
      }),
    ),
    count,
  }),
});
