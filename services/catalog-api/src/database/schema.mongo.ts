import type { MongoSchema } from '@lobbystats/service-kit/mongo';

/** Indexes follow the reads; other rows are found by `_id`. */
export const catalogSchema: MongoSchema = {
  name: 'catalog',
  version: 3,
  collections: [
    { name: 'catalog', indexes: [] },
    { name: 'title', indexes: [] },
    { name: 'icon', indexes: [] },
    { name: 'outbox', indexes: [] },
    { name: 'event', indexes: [{ name: 'by_archived', keys: { archived: 1, _id: 1 } }] },
    { name: 'board', indexes: [{ name: 'by_title', keys: { titleId: 1, leaderboardId: 1 } }] },
    { name: 'board_content', indexes: [] },
    { name: 'board_version', indexes: [] },
    { name: 'pending_board', indexes: [] },
    { name: 'pending_changes', indexes: [] },
    { name: 'pending_names', indexes: [] },
    {
      name: 'entry',
      indexes: [
        { name: 'by_time', keys: { timeMs: 1, titleId: 1, leaderboardId: 1 } },
        { name: 'by_title_and_time', keys: { titleId: 1, timeMs: 1, leaderboardId: 1 } },
        { name: 'by_player', keys: { playerKey: 1, titleId: 1, leaderboardId: 1 } },
      ],
    },
    {
      name: 'change',
      indexes: [
        { name: 'by_title', keys: { titleId: 1, _id: 1 } },
        { name: 'by_type', keys: { type: 1, _id: 1 } },
        { name: 'by_title_and_type', keys: { titleId: 1, type: 1, _id: 1 } },
        { name: 'by_new_rank', keys: { newRank: 1, _id: 1 } },
        { name: 'by_title_and_new_rank', keys: { titleId: 1, newRank: 1, _id: 1 } },
        { name: 'by_time', keys: { changedAt: 1, _id: 1 } },
        { name: 'by_player', keys: { playerKey: 1, _id: 1 } },
        { name: 'by_player_and_board', keys: { playerKey: 1, titleId: 1, leaderboardId: 1, _id: 1 } },
      ],
    },
    { name: 'change_count', indexes: [] },
    {
      name: 'name',
      indexes: [
        { name: 'by_first_word', keys: { entries: -1, firstWord: 1, _id: 1 } },
        { name: 'by_later_word', keys: { entries: -1, laterWords: 1, _id: 1 } },
        { name: 'by_part', keys: { parts: 1, _id: 1 } },
      ],
    },
    { name: 'tracked_user', indexes: [{ name: 'by_player', keys: { playerKey: 1 } }] },
    { name: 'erased_user', indexes: [] },
  ],
};
