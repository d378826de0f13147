import { z } from 'zod';
import { networkId, tags, titleId } from '../primitives/keys.ts';
import { limit, trimmedText } from '../primitives/query.ts';
import { count, gameName, none, publicGet } from './fields.ts';
import { operation } from './operation.ts';

export const suggestNames = operation({
  ...publicGet,
  id: 'suggestNames',
  summary: 'Games, leaderboards and players with a word that begins with a text, best first',
  description:
    'Case and accents make no difference. Exact names come first, then names that begin with the text, then names in which a later word does; among these, names with more leaderboard entries come first.',
  path: '/api/suggest',
  upstream: 'catalog-api',
  params: none,
  query: z.object({
    q: trimmedText(100).meta({
      description: 'The beginning of a word, or of several successive words',
      example: 'har',
    }),
    limit: limit({ max: 50, default: 10 }),
  }),
  response: z.strictObject({
    q: z.string(),
    suggestions: z.array(
      z.strictObject({
        type: z.enum(['game', 'leaderboard', 'player']),
        name: z.string(),
        titleId: titleId.nullable().meta({ description: 'Null for a player' }),
        gameName: gameName.nullable().meta({ description: 'Null for a player' }),
        leaderboardId: networkId.nullable().meta({ description: 'Null for a game or a player' }),
        entries: count.meta({ description: 'Entries on leaderboards' }),
      }),
    ),
    count,
  }),
  tags: () => [tags.everyBoard, tags.titles],
});
