export { closeClient } from './connect.ts';
export { isDuplicateKey } from './mongo-errors.ts';
export { checkIndexes, type MongoCollection, type MongoIndex, type MongoSchema } from './mongo-schema.ts';
export {
  MongoStore,
  openMongoStore,
  OPERATION_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
  type MongoStoreOptions,
} from './mongo-store.ts';
export { commitSteps, writeSteps, type CommitStep } from './commit-steps.ts';
export { OPLOG_BYTES, writeOplogEntry } from './oplog-turnover.ts';
export { MongoOutbox } from './mongo-outbox.ts';
export { RESTORE_MARKER_ID } from './store-identity.ts';
export { provisionMongo, type ProvisionMongoOptions } from './provision-mongo.ts';
