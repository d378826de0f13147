import { z } from 'zod';
import { tags, titleId } from '../primitives/keys.ts';
import { format, limit, offset, oneOf } from '../primitives/query.ts';
import { timestamp } from '../primitives/time.ts';
import {
  gameFilters,
  count,
  gameName,
  matchIdField,
  maxPlayers,
  namedObject,
  none,
  page,
  publicGet,
} from './fields.ts';
import { operation } from './operation.ts';

const lobbySorts = ['players', 'newest'] as const;

export const LOBBIES_MAX = 1000;

export const listLobbies = operation({
  ...publicGet,
  id: 'listLobbies',
  summary: 'Open lobbies of all games: host, players, and since when',
  description:
    'As of the newest finished slot. A game whose page could not be read keeps its lobbies for an hour at most: their `timestamp` is earlier.',
  path: '/api/lobbies',
  group: 'Matches',
  sample: { query: { limit: '3' } },
  upstream: 'series-api',
  params: none,
  query: z.object({
    ...gameFilters,
    sort: oneOf(lobbySorts)
      .default('players')
      .meta({ description: '`players`: most players first; `newest`: opened last first' }),
    limit: limit({ max: LOBBIES_MAX, default: 100 }),
    offset,
    format,
  }),
  response: namedObject('LobbyList', {
    slot: timestamp.nullable().meta({ description: 'The newest finished slot, UTC; null before the first one' }),
    lobbies: z.array(
      namedObject('Lobby', {
        titleId,
        gameName,
        hostName: z.string(),
        currentPlayers: count,
        maxPlayers,
        openedAt: timestamp.meta({ description: 'The first snapshot with the lobby' }),
        timestamp: timestamp.meta({ description: 'The latest one' }),
        id: matchIdField,
      }),
    ),
    ...page,
  }),
  errors: { 404: 'There is no such game' },
  rows: 'lobbies',
  present: true,
  tags: [tags.slots, tags.titles],
});
