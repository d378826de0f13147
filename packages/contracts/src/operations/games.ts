import { z } from 'zod';
import { tags, titleId } from '../primitives/keys.ts';
import { integer, offset } from '../primitives/query.ts';
import { gameName, internalGet, namedObject, none, publicGet, titleParams } from './fields.ts';
import { operation } from './operation.ts';

export const gameMetadata = namedObject('Game', {
  titleId,
  name: gameName,
  title: z.string().meta({ description: 'Full title, as the game’s own page has it' }),
  image: z.string().meta({
    description:
      'URL of its icon at the network, as a browser can reach it; a small image of it is at `/icon/:titleId` of this site',
  }),
  publisher: z.string().meta({ description: '"" when unknown' }),
  releaseDate: z.string().meta({ description: 'YYYY-MM-DD, or "" when unknown', example: '2001-11-15' }),
  productCode: z.string().meta({ description: 'Code of the network beside the title ID, or ""', example: 'MS-074' }),
});
export type GameMetadata = z.output<typeof gameMetadata>;

export const getGame = operation({
  ...publicGet,
  id: 'getGame',
  summary: 'A game’s metadata',
  path: '/api/title/:titleId',
  group: 'Games',
  gamePath: '/api/game/:game',
  upstream: 'catalog-api',
  params: titleParams,
  query: none,
  response: gameMetadata,
  tags: [tags.title(':titleId')],
});

export const listGames = operation({
  ...publicGet,
  id: 'listGames',
  summary: 'All tracked games by name; `q` keeps those whose name or title has it in them',
  path: '/api/games',
  group: 'Games',
  sample: { query: { limit: '3' } },
  upstream: 'catalog-api',
  params: none,
  query: z.object({
    q: z.string({ error: 'must be given once' }).max(100, 'must be at most 100 characters').default(''),
    limit: integer({ min: 1, max: 1000 }).default(1000),
    offset,
  }),
  response: namedObject('GameList', {
    games: z.array(gameMetadata),
    total: z.int().nonnegative(),
    limit: z.int(),
    offset: z.int(),
    hasMore: z.boolean(),
  }),
  tags: [tags.titles],
});

/** Titles of one response of `listTitles`. */
export const TITLES_PER_PAGE = 2000;

/** For services that keep a title directory; it includes all facts up to `revision`. */
export const listTitles = operation({
  ...internalGet,
  id: 'listTitles',
  summary: 'Every title’s metadata, by title ID, in pages',
  path: '/internal/titles',
  upstream: 'catalog-api',
  params: none,
  query: z.object({ after: titleId.optional().meta({ description: 'The last title of the previous page' }) }),
  response: z.strictObject({
    revision: z.int().nonnegative(),
    titles: z.array(gameMetadata),
    next: titleId.optional().meta({ description: '`after` of the next page; absent on the last one' }),
  }),
  tags: [tags.titles],
});
