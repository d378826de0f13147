import type { MongoSchema } from '@lobbystats/service-kit/mongo';

/** Rows without an index are found by `_id`. A Discord number is an `_id`, so it is unique. */
export const userSchema: MongoSchema = {
  name: 'users',
  version: 5,
  collections: [
    { name: 'user_state', indexes: [] },
    {
      name: 'user',
      indexes: [
        { name: 'by_player', keys: { playerKey: 1 } },
        { name: 'by_score', keys: { rankedScore: -1, username: 1 } },
        { name: 'by_presence', keys: { 'sight.isOnline': 1, _id: 1, 'sight.at': 1, 'sight.titleId': 1 } },
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
        { name: 'by_achievement', keys: { achievementId: 1, unlockedAt: -1, username: 1 } },
      ],
    },
    { name: 'unlock_count', indexes: [] },
    { name: 'score_count', indexes: [] },
    { name: 'definition', indexes: [] },
    { name: 'erased_user', indexes: [] },
    { name: 'outbox', indexes: [] },
    {
      name: 'following',
      indexes: [
        { name: 'by_user', keys: { userKey: 1, followedAt: -1 } },
        { name: 'by_target', keys: { kind: 1, target: 1, userKey: 1 } },
      ],
    },
    { name: 'quiet_hours', indexes: [] },
    { name: 'trigger_state', indexes: [] },
    {
      name: 'occurrence',
      indexes: [
        { name: 'by_state', keys: { after: 1, place: 1 } },
        { name: 'by_time', keys: { at: 1 } },
      ],
    },
    {
      name: 'notification',
      indexes: [
        { name: 'by_user', keys: { userKey: 1, dueAt: -1 } },
        { name: 'by_rule', keys: { kind: 1, target: 1, rule: 1, userKey: 1, dueAt: 1 } },
        { name: 'by_time', keys: { dueAt: 1 } },
      ],
    },
    {
      name: 'channel',
      indexes: [
        { name: 'by_user', keys: { userKey: 1, name: 1 } },
        { name: 'by_turn', keys: { nextAt: 1, servedAt: 1, userKey: 1, receiver: 1, _id: 1 } },
      ],
    },
    {
      name: 'delivery',
      indexes: [
        { name: 'by_channel', keys: { channelId: 1, state: 1, dueAt: 1 } },
        { name: 'by_user', keys: { userKey: 1 } },
        { name: 'by_time', keys: { dueAt: 1 } },
      ],
    },
  ],
};
