import { openSqliteUserDatabase } from './user-database.sqlite.ts';
import type { UserDatabase } from './user-database.ts';

/**
 * Opens the store at a URL and loads its driver on demand.
 *
 * @param lockTimeoutMs how long to wait for another process that writes to a SQLite file
 */
export async function openUserDatabase(url: string, origin: string, lockTimeoutMs?: number): Promise<UserDatabase> {
  if (!url.startsWith('mongodb')) return openSqliteUserDatabase(url, origin, lockTimeoutMs);
  const { openMongoUserDatabase } = await import('./user-database.mongo.ts');
  return openMongoUserDatabase(url, origin);
}
