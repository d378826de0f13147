export { makePrivateDirectory, preparePrivateFile, RESTORE_DIRECTORY, restrictToOwner } from './private-files.ts';
export { appendToOutbox, outboxTable, createSqliteOutbox } from './sqlite-outbox.ts';
export { openSqliteStore, SqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';
export { toStoreRefusedError, StoreRefusedError } from './store-errors.ts';
