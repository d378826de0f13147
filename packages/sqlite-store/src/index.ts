export { openSqliteStore, SqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';
export { StoreRefusedError } from './store-identity.ts';
