import { openSqliteReputationStore } from './database/reputation-store.sqlite.ts';
import type { ReputationStore } from './ratings/reputation-store.ts';

/**
 * Opens the store at a URL and loads the MongoDB driver on demand. `lockTimeoutMs`: how long to wait for another process
 * that writes to a SQLite file; the default suits a service.
 */
export async function openReputationStore(
  url: string,
  origin: string,
  lockTimeoutMs?: number,
): Promise<ReputationStore> {
  if (!url.startsWith('mongodb')) return openSqliteReputationStore(url, origin, lockTimeoutMs);
  const { openMongoReputationStore } = await import('./database/reputation-store.mongo.ts');
  return openMongoReputationStore(url, origin);
}
