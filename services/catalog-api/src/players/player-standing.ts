import { nameKey, type operations, type Reply } from '@lobbystats/contracts';
import { boardId } from '../boards/board.ts';
import type { CatalogReader } from '../boards/catalog-reader.ts';
import { toSearchRows, type SearchRow } from '../search/search-rows.ts';

/** Ranks that count as top 10. */
const TOP_RANK = 10;

export async function playerStanding(
  reader: CatalogReader,
  player: string,
): Promise<Reply<typeof operations.getPlayerStanding>> {
  const best = new Map<string, number>();
  const titleIds = new Set<string>();
  for (const row of await rowsOf(reader, player)) {
    const board = boardId(row);
    best.set(board, Math.min(best.get(board) ?? Infinity, row.rank));
    titleIds.add(row.titleId);
  }
  const top10Count = [...best.values()].filter((rank) => rank <= TOP_RANK).length;
  return { body: { leaderboardsOn: best.size, top10Count, titleIds: [...titleIds] } };
}

/** Best rank first, then by titleId and board. */
export async function playerScores(
  reader: CatalogReader,
  player: string,
  limit: number,
): Promise<Reply<typeof operations.listPlayerScores>> {
  const rows = await rowsOf(reader, player);
  // The sort is stable.
  return { body: { scores: rows.sort((a, b) => a.rank - b.rank).slice(0, limit) } };
}

async function rowsOf({ titles, boards }: CatalogReader, player: string): Promise<SearchRow[]> {
  const view = await titles.view();
  return toSearchRows(await boards.ofPlayers({ keys: [nameKey(player)] }), view);
}
