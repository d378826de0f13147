import { formatRaceTime, type operations, type Reply } from '@lobbystats/contracts';
import type { CatalogReader } from '../leaderboards/catalog-reader.ts';
import { fetchSearchRows, titleFilter } from './search-rows.ts';

export interface TimeQuery {
  readonly time: number;
  readonly tolerance: number;
  readonly titleId?: string | undefined;
  readonly limit: number;
}

/** @throws AppError `not-found` for an unknown title */
export async function searchByTime(
  { titles, boards }: CatalogReader,
  { time: timeMs, tolerance, titleId, limit }: TimeQuery,
): Promise<Reply<typeof operations.searchByTime>> {
  const view = await titles.view();
  const query = { timeMs, tolerance, ...titleFilter(view, titleId) };
  const { rows, truncated } = await fetchSearchRows(view, limit, (count) =>
    boards.nearTime({ ...query, limit: count }),
  );
  return {
    body: {
      searchTime: formatRaceTime(timeMs),
      searchTimeMs: timeMs,
      tolerance,
      results: rows,
      count: rows.length,
      truncated,
    },
  };
}
