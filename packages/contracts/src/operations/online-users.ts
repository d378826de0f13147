import { z } from 'zod';
import { tags, titleId, canonicalUsername } from '../primitives/keys.ts';
import { format, integer, oneOf, resolution, resolutions, limit, offset } from '../primitives/query.ts';
import { HISTORY_HOURS_MAX, slotInstant, timestamp } from '../primitives/time.ts';
import {
  count,
  gameName,
  internalGet,
  namedObject,
  none,
  publicGet,
  titleHead,
  titleParams,
  gameFilters,
  page,
} from './fields.ts';
import { gameMetadata } from './games.ts';
import { operation } from './operation.ts';
import { activityCounts, observedCounts } from './title-counts.ts';
import { hasBucketBounds, onlineCount } from './site-series.ts';

/** Lobbies and hosts are from the open matches. */
const titleActivity = {
  ...activityCounts((name) => count.meta({ description: observedCounts[name].description })),
  activeLobbies: count.meta({ description: 'Open matches' }),
  hasActiveSession: z.boolean().meta({ description: 'There is a session' }),
  lobbyHostNames: z.array(z.string()).meta({ description: 'Hosts of the open matches' }),
};

export const getOnlineUsers = operation({
  ...publicGet,
  id: 'getOnlineUsers',
  summary: 'Current players and lobbies of every tracked game, also of games without players',
  path: '/api/online-users',
  group: 'Online',
  upstream: 'gateway',
  params: none,
  query: none,
  description:
    'An object keyed by the game’s name. It is of the newest finished slot, however old: `Last-Modified` says which. A title whose page could not be read keeps its lobbies for an hour at most.',
  response: z.record(
    z.string(),
    namedObject('GameActivity', {
      name: gameName,
      titleId,
      image: z.string(),
      publisher: gameMetadata.shape.publisher,
      productCode: gameMetadata.shape.productCode,
      ...titleActivity,
      activePlayersDisplay: z.string().meta({
        description: 'Players and sessions in words; "" without a session',
        example: '4 in 1 session',
      }),
    }),
  ),
  present: true,
  tags: [tags.slots, tags.titles],
});

/** Used by {@link getOnlineUsers}. `slot` is null before the first slot. */
export const getLatestActivity = operation({
  ...internalGet,
  id: 'getLatestActivity',
  summary: 'Activity of every title in the newest finished slot, or of one',
  path: '/internal/latest-activity',
  upstream: 'series-api',
  params: none,
  query: z.object({ titleId: titleId.optional() }),
  response: z.strictObject({
    slot: slotInstant.nullable(),
    titles: z.array(z.strictObject({ titleId, ...titleActivity })),
  }),
  tags: [tags.slots],
});

const summaryPeriods = ['today', '7d'] as const;

export const getOnlineSummary = operation({
  ...publicGet,
  id: 'getOnlineSummary',
  summary: 'Peaks and totals of the last 24 hours or 7 days',
  path: '/api/online-users/summary',
  group: 'Site',
  upstream: 'series-api',
  params: none,
  query: z.object({ period: oneOf(summaryPeriods).default('today') }),
  response: z.strictObject({
    period: z.enum(summaryPeriods),
    peakOnline: count.meta({ description: 'Most users online at once' }),
    peakOnlineAt: timestamp.nullable(),
    peakLobbies: count.meta({ description: 'Most open lobbies at once' }),
    peakLobbiesAt: timestamp.nullable(),
    mostPlayedGame: z.strictObject({ name: gameName, titleId, peak: count }).nullable(),
    gamesWithActivityCount: count.meta({ description: 'Games of `/api/games` with at least one user online' }),
    totalSnapshotCount: count.meta({ description: 'Snapshots in the period' }),
  }),
  tags: [tags.slots, tags.titles],
});

export const getTitleOnlineHistory = operation({
  ...publicGet,
  id: 'getTitleOnlineHistory',
  summary: 'Users online in one game over the last hours',
  path: '/api/title/:titleId/online-users/history',
  group: 'Online',
  sample: { query: { hours: '24', resolution: '60' } },
  gamePath: '/api/game/:game/online-users/history',
  gamePathAlias: '/api/online-users/history/:game',
  upstream: 'series-api',
  params: titleParams,
  query: z.object({ hours: integer({ min: 1, max: HISTORY_HOURS_MAX }).default(48), resolution, format }),
  response: namedObject('OnlineHistory', {
    ...titleHead,
    hours: z.int(),
    resolution: z.enum(resolutions),
    history: z.array(onlineCount),
  }),
  rows: 'history',
  hasOptionalFields: hasBucketBounds,
  tags: [tags.slots, tags.title(':titleId')],
});

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
  errors: { 404: 'There is no such game' },
  rows: 'users',
  tags: [tags.slots, tags.presence, tags.usernames],
});
