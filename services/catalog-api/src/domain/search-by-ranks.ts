import { nameKey, type OperationAnswer, type operations, type Reply } from '@lobbystats/contracts';
import { boardId } from './board.ts';
import type { CatalogReader } from './catalog-reader.ts';
import { shownRows, withinTitle, type SearchRow } from './shown-rows.ts';

export interface RanksQuery {
  readonly players: readonly WantedPlayer[];
  readonly titleId?: string | undefined;
}

interface WantedPlayer {
  readonly playerName: string;
  readonly rank: number;
}

type FoundBoard = OperationAnswer<typeof operations.searchByRanks>['results'][number];

/**
 * Sorts by number of matching pairs, then by titleId and board. Duplicate pairs count once.
 *
 * @throws AppError `not-found` for an unknown title
 */
export async function searchByRanks(
  { titles, boards }: CatalogReader,
  { players, titleId }: RanksQuery,
): Promise<Reply<typeof operations.searchByRanks>> {
  const view = await titles.view();
  const keys = players.map(pairKey);
  const distinct = players.filter((player, index) => keys.indexOf(pairKey(player)) === index);
  const found = await boards.atRanks({
    pairs: distinct.map(({ playerName, rank }) => ({ key: nameKey(playerName), rank })),
    ...withinTitle(view, titleId),
  });
  const rows = Map.groupBy(shownRows(found, view), boardId);
  // The sort is stable.
  const results = Array.from(rows.values(), boardOf).sort((a, b) => b.matchedCount - a.matchedCount);
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
function boardOf(matches: SearchRow[]): FoundBoard {
  const [{ titleId, gameName, leaderboardId, leaderboardName }] = matches as [SearchRow, ...SearchRow[]];
  const matchedCount = new Set(matches.map(pairKey)).size;
  return { titleId, gameName, leaderboardId, leaderboardName, matchedCount, matches };
}

function pairKey({ playerName, rank }: WantedPlayer): string {
  return `${rank} ${nameKey(playerName)}`;
}
