import { z } from 'zod';
import { networkId, NUMBER_MAX } from '../primitives/board-id.ts';
import { instant, SLOTS_PER_DAY, slotInstant } from '../primitives/time.ts';
import { titleId } from '../primitives/title-id.ts';
import { canonicalUsername } from '../primitives/username.ts';
import { messageType } from './message-type.ts';

/** A message tells of at most so many players. */
export const PLAYERS_PER_MESSAGE = 1000;
/** A fact tells of at most so many ranks. */
export const RANKS_PER_FACT = 1000;

/** How the network knows a person. */
const identity = {
  username: canonicalUsername,
  gamertag: z.string().max(64).meta({ description: 'Their name in games and on leaderboards; "" when unknown' }),
  verified: z.boolean(),
};

/** The longest name of a game that a message has, in UTF-16 units. */
export const GAME_NAME_MAX = 200;

const game = z.string().max(GAME_NAME_MAX).meta({ description: 'Its name, as the network has it' });

/** Players as one look at the feed has them. */
export const playersObserved = messageType({
  key: 'players.observed',
  version: 1,
  exchange: 'observations',
  summary: 'Players who are or were online since the look before, each as last seen.',
  producer: 'collector',
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
  tags: () => [],
});

/** A player as the network's feed has them. */
export type SeenPlayer = z.output<typeof playersObserved.data>['players'][number];

/** Players of a past day, compactly: each with the stretches in which they were online. */
export const playObserved = messageType({
  key: 'play.observed',
  version: 1,
  exchange: 'observations',
  summary: 'When players of the past were online, and in what.',
  producer: 'collector',
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
                to: slotInstant.meta({ description: 'The last slot of the stretch' }),
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
  tags: () => [],
});

/** A player of the past, and when they were online. */
export type PastPlayer = z.output<typeof playObserved.data>['players'][number];

/** Ranks of players whom user-api has told of. */
export const playerRanked = messageType({
  key: 'player.ranked',
  version: 1,
  exchange: 'facts',
  summary: 'Where known players stand: all ranks of one who is new, then every rank that moves.',
  producer: 'catalog-api',
  consumers: ['user-api'],
  data: z.strictObject({
    revision: z
      .int()
      .nonnegative()
      .meta({ description: 'Grows with each commit of boards; of two ranks the later is right' }),
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
