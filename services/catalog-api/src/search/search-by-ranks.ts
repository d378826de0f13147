import { nameKey, type OperationResponse, type operations, type Reply } from '@lobbystats/contracts';
import { boardId } from '../boards/board.ts';
import type { CatalogReader } from '../boards/catalog-reader.ts';
import { assertKnownTitle, toSearchRows, type SearchRow } from './search-rows.ts';
import type { SearchQueries } from './search.queries.ts';

export interface RanksQuery {
  readonly players: readonly PlayerAtRank[];
  readonly titleId?: string | undefined;
}

interface PlayerAtRank {
  readonly playerName: string;
  readonly rank: number;
}

type FoundBoard = OperationResponse<typeof operations.searchByRanks>['results'][number];

/**
 * Sorts by number of matching pairs, then by titleId and board. Duplicate pairs count once.
 *
 * @throws AppError `not-found` for an unknown title
 */
export async function searchByRanks(
  { titles, boards }: CatalogReader<SearchQueries>,
  { players, titleId }: RanksQuery,
): Promise<Reply<typeof operations.searchByRanks>> {
  const view = await titles.view();
  assertKnownTitle(view, titleId);
  const keys = players.map(pairKey);
  const distinct = players.filter((player, index) => keys.indexOf(pairKey(player)) === index);
  const found = await boards.atRanks({
    pairs: distinct.map(({ playerName, rank }) => ({ key: nameKey(playerName), rank })),
    titleId,
  });
  const rows = Map.groupBy(toSearchRows(found, view), boardId);
  // The sort is stable.
  const results = Array.from(rows.values(), toBoardResult).sort((a, b) => b.matchedCount - a.matchedCount);
  return {
    body: {
      players: distinct.map(({ playerName, rank }) => ({ playerName, rank })),
      titleId: titleId ?? null,
      results,
      count: results.length,
    },
  };
}

/** Several rows may match one pair; it counts once. */
function toBoardResult(matches: SearchRow[]): FoundBoard {
  const [{ titleId, gameName, leaderboardId, leaderboardName }] = matches as [SearchRow, ...SearchRow[]];
  const matchedCount = new Set(matches.map(pairKey)).size;
  return { titleId, gameName, leaderboardId, leaderboardName, matchedCount, matches };
}

function pairKey({ playerName, rank }: PlayerAtRank): string {
  return `${rank} ${nameKey(playerName)}`;
}
