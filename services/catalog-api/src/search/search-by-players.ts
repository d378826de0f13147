import { nameKey, type operations, type Reply } from '@lobbystats/contracts';
import type { CatalogReader } from '../leaderboards/catalog-reader.ts';
import { nearAnotherPlayer } from './near-another-player.ts';
import {
  limitRows,
  fetchSearchRows,
  toSearchRows,
  titleFilter,
  type SearchRow,
  type SearchPage,
} from './search-rows.ts';

export interface PlayersQuery {
  readonly names: string[];
  readonly tolerance?: number | undefined;
  readonly titleId?: string | undefined;
  readonly limit: number;
}

/** @throws AppError `not-found` for an unknown title */
export async function searchByPlayers(
  reader: CatalogReader,
  query: PlayersQuery,
): Promise<Reply<typeof operations.searchByPlayers>> {
  const { names, tolerance, titleId } = query;
  const { rows, truncated } = await find(reader, query);
  return {
    body: {
      names,
      tolerance: tolerance ?? null,
      titleId: titleId ?? null,
      results: rows,
      count: rows.length,
      truncated,
    },
  };
}

async function find(
  { titles, boards }: CatalogReader,
  { names, tolerance, titleId, limit }: PlayersQuery,
): Promise<SearchPage> {
  const view = await titles.view();
  const query = { keys: names.map(nameKey), ...titleFilter(view, titleId) };
  if (tolerance === undefined) {
    return fetchSearchRows(view, limit, (count) => boards.ofPlayers({ ...query, limit: count }));
  }
  const rows: SearchRow[] = [];
  for await (const entries of boards.timesOfPlayers(query)) {
    rows.push(...toSearchRows(nearAnotherPlayer(entries, tolerance), view));
    if (rows.length > limit) break;
  }
  return limitRows(rows, limit);
}
