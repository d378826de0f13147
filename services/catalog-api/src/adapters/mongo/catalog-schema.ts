import type { MongoSchema } from '@lobbystats/mongo-store';
import { boardCollections } from './board-collections.ts';
import { userCollections } from './mongo-player-store.ts';

export const catalogSchema: MongoSchema = {
  name: 'catalog',
  version: 2,
  collections: [
    { name: 'catalog', indexes: [] },
    { name: 'title', indexes: [] },
    { name: 'outbox', indexes: [] },
    { name: 'event', indexes: [{ name: 'by_archived', keys: { archived: 1, _id: 1 } }] },
    ...boardCollections,
    ...userCollections,
  ],
};
