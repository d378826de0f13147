import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { EpochSeconds } from '@lobbystats/contracts';
import type { SeriesPoint, SeriesStore, TitleRecords } from '../database/series-store.ts';
import { titleKey } from '../titles/titles.sqlite.ts';

export function titleRecords(store: SqliteStore) {
  return {
    titleRecords: async (titleId) => {
      const rows = store.all<{ measure: keyof TitleRecords; at: number; count: number }>(
        'SELECT measure, at, count FROM title_record WHERE title_id = ?',
        titleKey(titleId),
      );
      const points = rows.map(({ measure, at, count }): [string, SeriesPoint] => [measure, [at, count]]);
      return { online: null, lobbies: null, ...Object.fromEntries(points) };
    },
  } satisfies Partial<SeriesStore>;
}

/** The higher count wins; on a tie the earlier one. SQLite takes `slot` from the first row with the maximum. */
const RAISE = (['online', 'lobbies'] satisfies (keyof TitleRecords)[]).map(
  (measure) => `
  INSERT INTO title_record (title_id, measure, count, at)
    SELECT title.id, '${measure}', max(${measure}), slot
      FROM title CROSS JOIN title_snapshot ON title_id = title.id AND slot >= :day AND slot < :end
      WHERE ${measure} IS NOT NULL
      GROUP BY title.id
    ON CONFLICT DO UPDATE SET count = excluded.count, at = excluded.at
      WHERE (excluded.count, -excluded.at) > (count, -at)`,
);

/** Raises the records of the titles to the peaks of a day. */
export function raiseTitleRecords(store: SqliteStore, day: { day: EpochSeconds; end: EpochSeconds }): void {
  for (const statement of RAISE) store.prepare(statement).run(day);
}
