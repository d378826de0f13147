import { z } from 'zod';
import { tags, titleId } from '../primitives/keys.ts';
import { timestamp } from '../primitives/time.ts';
import { count, gameName, namedObject, none, publicGet } from './fields.ts';
import { operation } from './operation.ts';

/** Also a fact, and the event of a stream topic. */
export const now = namedObject('Now', {
  slot: timestamp.nullable().meta({ description: 'The newest finished slot, UTC; null before the first one' }),
  online: count.meta({ description: 'Users online' }),
  lobbies: count.meta({
    description: 'Open lobbies; a game whose page could not be read keeps its last ones for an hour at most',
  }),
  registered: count.nullable().meta({ description: 'Registered users; null if unknown' }),
  gamesWithPlayers: count.meta({ description: 'Games with at least one user online' }),
  busiestGames: z
    .array(z.strictObject({ titleId, gameName, online: count, lobbies: count }))
    .max(5)
    .meta({ description: 'The games with the most users online; on a tie, the one with more lobbies first' }),
});

export const getNow = operation({
  ...publicGet,
  id: 'getNow',
  summary: 'The network now: users online, lobbies, registered users, and the five busiest games',
  path: '/api/now',
  group: 'Site',
  upstream: 'series-api',
  params: none,
  query: none,
  response: now,
  present: true,
  tags: [tags.slots, tags.titles],
});
