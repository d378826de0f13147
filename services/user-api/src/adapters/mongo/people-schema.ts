import type { MongoSchema } from '@lobbystats/mongo-store';

/**
 * What the database of people has. Keys and indexes follow how rows are read; what isn't named here is found by `_id`. A
 * Discord number is a row's `_id`, so that no two people have one.
 */
export const peopleSchema: MongoSchema = {
  name: 'people',
  version: 1,
  collections: [
    { name: 'people', indexes: [] },
    {
      name: 'user',
      indexes: [
        { name: 'by_player', keys: { playerKey: 1 } },
        { name: 'by_score', keys: { rankedScore: -1, username: 1 } },
      ],
    },
    { name: 'discord', indexes: [] },
    { name: 'play_day', indexes: [] },
    { name: 'host_day', indexes: [] },
    { name: 'player', indexes: [] },
    {
      name: 'unlock',
      indexes: [
        { name: 'by_user', keys: { userKey: 1, unlockedAt: -1, achievementId: 1 } },
        { name: 'by_time', keys: { unlockedAt: -1, achievementId: 1, username: 1 } },
      ],
    },
    { name: 'unlock_count', indexes: [] },
    { name: 'score_count', indexes: [] },
    { name: 'definition', indexes: [] },
    { name: 'forgotten', indexes: [] },
    { name: 'outbox', indexes: [] },
  ],
};
