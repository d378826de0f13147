import type { MongoSchema } from '@lobbystats/mongo-store';

/** Rows without an index are found by `_id`. A Discord number is an `_id`, so it is unique. */
export const userSchema: MongoSchema = {
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
