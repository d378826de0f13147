export { openSqliteStore, SqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';
export { refusalOf, StoreRefusedError } from './store-refused-error.ts';
