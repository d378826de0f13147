import type { MongoSchema } from '@lobbystats/service-kit/mongo';

export const reputationSchema: MongoSchema = {
  name: 'reputation',
  version: 1,
  collections: [
    { name: 'reputation', indexes: [] },
    { name: 'rated_user', indexes: [] },
    {
      name: 'rating',
      indexes: [
        // Usernames are ASCII: the order of their bytes is that of their code points.
        { name: 'by_time', keys: { profileKey: 1, counts: 1, createdAt: -1, raterUsername: 1 } },
        { name: 'by_rater', keys: { raterKey: 1, profileKey: 1 } },
        { name: 'by_rater_time', keys: { raterKey: 1, createdAt: -1, profileKey: 1 } },
        { name: 'by_report', keys: { reportedAt: 1, _id: 1 } },
      ],
    },
    { name: 'erased_user', indexes: [] },
    { name: 'outbox', indexes: [] },
  ],
};
