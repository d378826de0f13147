import { nameKey, type operations, type Reply } from '@lobbystats/contracts';
import type { CatalogReader } from '../leaderboards/catalog-reader.ts';
import { toSearchRows } from './search-rows.ts';

export async function searchOnePlayer(
  { titles, boards }: CatalogReader,
  player: string,
): Promise<Reply<typeof operations.searchOnePlayer>> {
  const view = await titles.view();
  const rows = toSearchRows(await boards.ofPlayers({ keys: [nameKey(player)] }), view);
  return {
    body: {
      results: rows.map(({ titleId, gameName, leaderboardId, leaderboardName, rank }, index) => ({
        id: index + 1,
        title_id: titleId,
        game_name: gameName,
        leaderboard_id: leaderboardId,
        leaderboard_name: leaderboardName,
        rank,
      })),
      count: rows.length,
    },
  };
}
