import { openSqliteStore } from '@lobbystats/service-kit/sqlite';
import { migrations } from './series-schema.sqlite.ts';
import { titleKey } from '../titles/titles.sqlite.ts';

const TABLES = ['title_snapshot', 'match_snapshot', 'match_run', 'title_daily', 'title_record'];
/** Long enough to find a gap between the commits of a busy service. */
const LOCK_TIMEOUT_MS = 5000;

/** Deletes the series of titles, beside a running series-api. Sums over all titles stay as they were counted. */
export function deleteSqliteTitles(
  { url, origin }: { url: string; origin: string },
  titleIds: readonly string[],
): void {
  const settings = {
    url,
    name: 'series',
    origin,
    migrations,
    durability: 'normal',
    lockTimeoutMs: LOCK_TIMEOUT_MS,
  } as const;
  const store = openSqliteStore(settings);
  try {
    for (const titleId of titleIds) {
      store.transaction(() => {
        for (const table of TABLES) store.run(`DELETE FROM ${table} WHERE title_id = ?`, titleKey(titleId));
        store.run('DELETE FROM title WHERE id = ?', titleKey(titleId));
      });
    }
  } finally {
    store.close();
  }
}
