import { z } from 'zod';
import { canonicalUsername, networkId, NUMBER_MAX, titleId } from '../primitives/keys.ts';
import { instant, slotInstant, SLOTS_PER_DAY } from '../primitives/time.ts';
import { messageType, observation } from './message-type.ts';

export const PLAYERS_PER_MESSAGE = 1000;
export const RANKS_PER_FACT = 1000;

const identity = {
  username: canonicalUsername,
  gamertag: z.string().max(64).meta({ description: 'Their name in games and on leaderboards; "" when unknown' }),
  verified: z.boolean(),
};

/** UTF-16 units. */
export const GAME_NAME_MAX = 1000;

const game = z.string().max(GAME_NAME_MAX).meta({ description: 'Its name, as the network has it' });

export const playersObserved = messageType({
  ...observation,
  key: 'players.observed',
  summary: 'Players who were online at the feed poll or since the previous one, each as last seen.',
  consumers: ['user-api'],
  data: z.strictObject({
    seenAt: instant,
    players: z
      .array(
        z.strictObject({
          ...identity,
          isOnline: z.boolean(),
          titleId: titleId.nullable(),
          game: game.nullable(),
          lastSeenAt: instant,
        }),
      )
      .max(PLAYERS_PER_MESSAGE),
  }),
  example: {
    seenAt: '2026-01-31T18:05:02Z',
    players: [
      {
        username: 'EmberFox',
        gamertag: 'Ember Fox',
        verified: true,
        isOnline: true,
        titleId: '4d530064',
        game: 'Harbor Racing',
        lastSeenAt: '2026-01-31T18:05:00Z',
      },
    ],
  },
});

export type ObservedPlayer = z.output<typeof playersObserved.data>['players'][number];

export const playObserved = messageType({
  ...observation,
  key: 'play.observed',
  summary: 'Past presences of players, by title.',
  consumers: ['user-api'],
  data: z.strictObject({
    players: z
      .array(
        z.strictObject({
          ...identity,
          spans: z
            .array(
              z.strictObject({
                titleId: titleId.nullable().meta({ description: 'null: online in no game' }),
                game: game.nullable(),
                from: slotInstant,
                to: slotInstant.meta({ description: 'The last slot, inclusive' }),
              }),
            )
            .min(1)
            .max(SLOTS_PER_DAY),
        }),
      )
      .max(PLAYERS_PER_MESSAGE),
  }),
  example: {
    players: [
      {
        username: 'EmberFox',
        gamertag: 'Ember Fox',
        verified: true,
        spans: [
          {
            titleId: '4d530064',
            game: 'Harbor Racing',
            from: '2026-01-30T18:05:00Z',
            to: '2026-01-30T19:10:00Z',
          },
        ],
      },
    ],
  },
});

export type PastPlayer = z.output<typeof playObserved.data>['players'][number];

/** Ranks of the players of user.stored. */
export const playerRanked = messageType({
  key: 'player.ranked',
  exchange: 'facts',
  summary: 'Ranks of known players: all ranks of a new player, then each rank that changes.',
  producer: 'catalog-api',
  consumers: ['user-api'],
  data: z.strictObject({
    revision: z
      .int()
      .nonnegative()
      .meta({ description: 'Increases with each commit of boards; the highest is current' }),
    ranks: z
      .array(
        z.strictObject({
          gamertag: z.string().min(1).max(64),
          titleId,
          leaderboardId: networkId,
          rank: z.int().min(1).max(NUMBER_MAX).nullable().meta({ description: 'The best one; null: no longer on it' }),
        }),
      )
      .max(RANKS_PER_FACT),
  }),
  example: {
    revision: 912,
    ranks: [{ gamertag: 'Ember Fox', titleId: '4d530064', leaderboardId: 17, rank: 1 }],
  },
  tags: () => [],
});
