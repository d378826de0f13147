import type { MongoSchema } from '@lobbystats/mongo-store';

/** What the titles' database has. Everything is found by `_id`. */
export const catalogSchema: MongoSchema = {
  name: 'catalog',
  version: 1,
  collections: [
    { name: 'catalog', indexes: [] },
    { name: 'title', indexes: [] },
    { name: 'outbox', indexes: [] },
  ],
};
