import { nameKey, type operations, type OperationResponse, type Reply } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { CatalogReader } from '../boards/catalog-reader.ts';
import { ratingView } from '../boards/board.ts';
import type { FoundEntry } from '../boards/entries.queries.ts';
import type { TitleView } from '../titles/title-view.ts';

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

export type SearchRow = OperationResponse<typeof operations.searchByTime>['results'][number];

export interface SearchPage {
  readonly rows: SearchRow[];
  readonly truncated: boolean;
}

/** Titles without a name are hidden. */
export function toSearchRows(found: readonly FoundEntry[], view: TitleView): SearchRow[] {
  return found.flatMap((entry) => {
    const title = view.get(entry.titleId)?.title;
    return title === undefined ? [] : [rowOf(entry, title.name)];
  });
}

/** Fetches more when titles without a name took some of the first rows. */
export async function fetchSearchRows(
  view: TitleView,
  limit: number,
  fetch: (limit: number) => Promise<FoundEntry[]>,
): Promise<SearchPage> {
  for (let fetchLimit = limit + 1; ; fetchLimit *= 2) {
    const found = await fetch(fetchLimit);
    const rows = toSearchRows(found, view);
    if (rows.length > limit || found.length < fetchLimit) return limitRows(rows, limit);
  }
}

/** @param hasMore whether there are rows beyond these */
export function limitRows(rows: readonly SearchRow[], limit: number, hasMore = false): SearchPage {
  return { rows: rows.slice(0, limit), truncated: hasMore || rows.length > limit };
}

/** Returns no fields without a cursor. */
export function pageFields(
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  total: number | undefined,
  nextCursor: string | null,
) {
  return cursor === undefined ? {} : { total, limit, hasMore: nextCursor !== null, nextCursor };
}

/** @throws AppError `not-found` for a title that is unknown */
export function assertKnownTitle(view: TitleView, titleId: string | undefined): void {
  if (titleId !== undefined && view.get(titleId) === undefined) throw new AppError('not-found', 'Unknown title');
}

function rowOf(entry: FoundEntry, gameName: string): SearchRow {
  const { titleId, leaderboardId, leaderboardName, playerName, rank } = entry;
  return { titleId, gameName, leaderboardId, leaderboardName, playerName, rank, ...ratingView(entry, entry.isTime) };
}
