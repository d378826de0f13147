export { makePrivateDirectory, preparePrivateFile, restrictToOwner } from './private-files.ts';
export { addFacts, outboxTable, sqliteOutbox } from './sqlite-outbox.ts';
export { openSqliteStore, SqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';
export { refusalOf, StoreRefusedError } from './store-refused-error.ts';
