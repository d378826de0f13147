import { z } from 'zod';
import { networkId, tags, titleId } from '../primitives/keys.ts';
import { limit, oneOf, trimmedText } from '../primitives/query.ts';
import { count, gameName, internalGet, namedObject, none, publicGet } from './fields.ts';
import { operation } from './operation.ts';

const SUGGESTIONS_MAX = 50;

const foundName = namedObject('Suggestion', {
  type: z.enum(['game', 'leaderboard', 'player', 'time']).meta({
    description: 'time: the text is a time, and the name is its usual form, for a search by time',
  }),
  name: z.string(),
  titleId: titleId.nullable().meta({ description: 'Null for a player or a time' }),
  gameName: gameName.nullable().meta({ description: 'Null for a player or a time' }),
  leaderboardId: networkId.nullable().meta({ description: 'Null but for a leaderboard' }),
  entries: count.meta({ description: 'Entries on leaderboards' }),
  leaderboards: count.nullable().meta({ description: 'Leaderboards with an entry of the player; else null' }),
});

const text = trimmedText(100).meta({
  description: 'The beginnings of words, or three letters or more of one; a title ID; a time',
  example: 'har',
});

const approximate = z
  .boolean()
  .meta({ description: 'No name matches the text: the suggestions are one letter away from it' });

const nameTypes = ['game', 'leaderboard', 'player'] as const;
export type NameType = (typeof nameTypes)[number];
const type = oneOf(nameTypes).optional().meta({ description: 'Only names of these' });

export const suggestNames = operation({
  ...publicGet,
  id: 'suggestNames',
  summary: 'Games, leaderboards and players whose names match a text, best first',
  description:
    'Case, accents and punctuation make no difference. A word also begins at a capital after a small letter and at digits: `wren` finds LimeWren617. Exact names come first, then names that begin with the text, names in which a later word does, names with all of its words in any order, and names with the text inside a word. The words of a leaderboard may be those of its game, too. If no name matches, names that do but for one letter that is wrong, missing or too much are suggested. Among names that match alike games come first, those with more users online before others, then names with more leaderboard entries.',
  varies: true,
  path: '/api/suggest',
  group: 'Search',
  sample: { query: { q: ':prefix', limit: '3' } },
  upstream: 'gateway',
  params: none,
  query: z.object({ q: text, type, limit: limit({ max: SUGGESTIONS_MAX, default: 10 }) }),
  response: namedObject('SuggestionList', { q: z.string(), suggestions: z.array(foundName), count, approximate }),
  tags: [tags.everyBoard, tags.titles],
});

/** The part of catalog-api, which does not know how many users are online. */
export const findNames = operation({
  ...internalGet,
  id: 'findNames',
  summary: 'Names that match a text, best first, games with more leaderboard entries before others',
  path: '/internal/names',
  upstream: 'catalog-api',
  params: none,
  sample: { query: { q: ':prefix' } },
  query: z.object({ q: text, type, limit: limit({ max: SUGGESTIONS_MAX, default: SUGGESTIONS_MAX }) }),
  response: z.strictObject({
    suggestions: z.array(
      foundName.extend({ match: z.int().meta({ description: 'The kind of match; lower is better' }) }),
    ),
    approximate,
  }),
  tags: [tags.everyBoard, tags.titles],
});
