export { closeClient } from './connect.ts';
export { isDuplicateKey } from './mongo-fault.ts';
export type { MongoCollection, MongoIndex, MongoSchema } from './mongo-schema.ts';
export { MongoStore, openMongoStore, QUICK_MS, type MongoStoreOptions } from './mongo-store.ts';
export { checkIndexes } from './schema-check.ts';
export { MongoOutbox } from './mongo-outbox.ts';
export { provisionMongo, type ProvisionMongoOptions } from './provision-mongo.ts';
