import type { MongoSchema } from '@lobbystats/mongo-store';
import { boardCollections } from '../leaderboards/board-collections.mongo.ts';
import { userCollections } from '../players/player-store.mongo.ts';

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
