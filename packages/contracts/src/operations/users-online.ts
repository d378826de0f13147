import { z } from 'zod';
import { canonicalUsername, tags, titleId } from '../primitives/keys.ts';
import { format, limit, offset } from '../primitives/query.ts';
import { timestamp } from '../primitives/time.ts';
import { gameFilters, namedObject, none, page, publicGet } from './fields.ts';
import { operation } from './operation.ts';

export const listUsersOnline = operation({
  ...publicGet,
  id: 'listUsersOnline',
  summary: 'The users who are online, with the game of each, by username in any case',
  description:
    'As the network’s feed has it: `lastState` of their profiles is `online`. On a network without a feed, these are the hosts of open lobbies.',
  varies: true,
  path: '/api/users/online',
  group: 'People',
  sample: { query: { limit: '3' } },
  upstream: 'user-api',
  params: none,
  query: z.object({ ...gameFilters, limit: limit({ max: 500, default: 100 }), offset, format }),
  response: namedObject('OnlineUserList', {
    slot: timestamp
      .nullable()
      .meta({ description: 'The newest slot in which one of these users was seen, UTC; null for nobody' }),
    users: z.array(
      namedObject('OnlineUser', {
        username: canonicalUsername,
        titleId: titleId
          .nullable()
          .meta({ description: 'Title ID of the game; null in none, or in one that is no title' }),
        game: z.string().nullable().meta({ description: 'As the network names it; null where it does not' }),
      }),
    ),
    ...page,
  }),
  rows: 'users',
  tags: [tags.slots, tags.presence, tags.usernames],
});
