import type { MongoSchema } from '@lobbystats/service-kit/mongo';

export const collectorSchema: MongoSchema = {
  name: 'collector',
  version: 5,
  collections: [
    // `_id` is the slot.
    { name: 'slot', indexes: [{ name: 'state', keys: { state: 1, _id: 1 } }] },
    { name: 'slot_title', indexes: [{ name: 'awaited', keys: { slot: 1, awaited: 1 } }] },
    { name: 'slot_text', indexes: [{ name: 'part', keys: { slot: 1, kind: 1, part: 1 }, unique: true }] },
    { name: 'withdrawal', indexes: [] },
    // `_id` is the URL, the title ID, and `past`.
    { name: 'page', indexes: [] },
    { name: 'kept_page', indexes: [{ name: 'slot', keys: { slot: 1, bytes: 1 } }] },
    { name: 'title', indexes: [] },
    { name: 'fill', indexes: [] },
    // `_id` is the title ID and the board's number.
    {
      name: 'board',
      indexes: [
        { name: 'title', keys: { titleId: 1 } },
        { name: 'due', keys: { turn: 1 } },
        { name: 'owedAt', keys: { owedAt: 1 } },
      ],
    },
    { name: 'board_fill', indexes: [] },
    { name: 'player_fill', indexes: [] },
  ],
};
