import { openCatalogStore } from './open-store.ts';
import type { ChangeRange } from './withdrawals/contents.queries.ts';

export { catalogMigrations } from './database/schema.sqlite.ts';
export { catalogSchema } from './database/schema.mongo.ts';
export { exportCatalog } from './transfer/export-catalog.sqlite.ts';

/** Long enough to find a gap between the commits of a busy service. */
const LOCK_TIMEOUT_MS = 5000;

/**
 * Opens the store beside running services, to list what a withdrawal removes.
 *
 * @throws StartupError when the store can't be opened as it is, AppError `unavailable` when it is unavailable
 */
export async function openCatalogContents({ url, origin }: { url: string; origin: string }) {
  const store = await openCatalogStore(url, origin, LOCK_TIMEOUT_MS);
  const { titles, contents } = store;
  return {
    /** Names of all titles by title ID; `""` for one without. */
    names: async () => new Map((await titles.read()).records.map(({ titleId, home }) => [titleId, home?.name ?? ''])),
    count: (titleId: string) => contents.count(titleId),
    countChanges: (range: ChangeRange) => contents.countChanges(range),
    close: () => store.close(),
  };
}
