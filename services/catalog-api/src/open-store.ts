import type { CatalogStore } from './database/catalog-store.ts';
import { openSqliteCatalogStore } from './database/catalog-store.sqlite.ts';

/** Loads the MongoDB driver only for a MongoDB URL. */
export async function openCatalogStore(url: string, origin: string, lockTimeoutMs?: number): Promise<CatalogStore> {
  if (!url.startsWith('mongodb')) return openSqliteCatalogStore(url, origin, lockTimeoutMs);
  const { openMongoCatalogStore } = await import('./database/catalog-store.mongo.ts');
  return openMongoCatalogStore(url, origin);
}
