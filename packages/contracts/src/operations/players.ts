import { z } from 'zod';
import { canonicalUsername, nameKey, tags } from '../primitives/keys.ts';
import { limit } from '../primitives/query.ts';
import { timestamp } from '../primitives/time.ts';
import { count, internalGet, none, publicGet } from './fields.ts';
import { playerNameParam } from './leaderboards.ts';
import { operation } from './operation.ts';
import { boardRow, SEARCH_ROWS_MAX } from './search.ts';

const playerParams = z.object({ player: playerNameParam });

const hosted = {
  matchesHosted: count.meta({ description: 'Matches of the last 30 days that the player hosted' }),
  firstSeenAt: timestamp.nullable().meta({ description: 'Begin of the first of them; null without one' }),
  lastSeenAt: timestamp.nullable().meta({ description: 'Last snapshot of the last of them; null without one' }),
};

export const getPlayer = operation({
  ...publicGet,
  id: 'getPlayer',
  cacheKeys: { player: nameKey },
  summary: 'A player: leaderboards, hosted matches, and the account if there is one',
  description:
    'For every name that is on a leaderboard, has hosted a match in the last 30 days, or is the gamertag of an account, compared in any case.',
  varies: true,
  path: '/api/player/:player',
  group: 'People',
  sample: { query: { limit: '3' } },
  upstream: 'gateway',
  params: playerParams,
  query: z.object({ limit: limit({ max: SEARCH_ROWS_MAX, default: 100 }) }),
  errors: { 404: 'There is no player of that name' },
  response: z.strictObject({
    name: z.string().meta({ description: 'As the network spells it' }),
    username: canonicalUsername.nullable().meta({
      description: 'The account with this gamertag, as the network says; null without one',
    }),
    leaderboardsOn: count.meta({ description: 'Leaderboards with an entry of the player' }),
    top10Count: count.meta({ description: 'Those on which the player is in the top 10' }),
    leaderboards: z.array(boardRow).meta({ description: 'Best rank first, at most `limit`' }),
    ...hosted,
  }),
  tags: [tags.everyBoard, tags.titles, tags.slots, tags.usernames],
});

/** Unknown names get nulls and 0, as in all internal operations of {@link getPlayer}. */
export const getHost = operation({
  ...internalGet,
  id: 'getHost',
  summary: 'Matches that a player has hosted in the last 30 days',
  path: '/internal/host/:player',
  upstream: 'series-api',
  params: playerParams,
  query: none,
  response: z.strictObject({ name: z.string().nullable(), ...hosted }),
  tags: [tags.slots],
});

export const getGamertagUser = operation({
  ...internalGet,
  id: 'getGamertagUser',
  summary: 'The account with a gamertag of the network; of several, the first by username',
  path: '/internal/gamertag/:player',
  upstream: 'user-api',
  params: playerParams,
  query: none,
  response: z.strictObject({ username: canonicalUsername.nullable(), gamertag: z.string().nullable() }),
  tags: [tags.usernames],
});
