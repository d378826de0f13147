import type { OperationResponse, operations } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { FoundEntry } from '../leaderboards/board-store.ts';
import { ratingView } from '../leaderboards/entry-view.ts';
import type { TitleView } from '../titles/title-view.ts';

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

export function limitRows(rows: readonly SearchRow[], limit: number): SearchPage {
  return { rows: rows.slice(0, limit), truncated: rows.length > limit };
}

/** @throws AppError `not-found` for a title that is unknown */
export function titleFilter(view: TitleView, titleId: string | undefined): { titleId?: string } {
  if (titleId === undefined) return {};
  if (view.get(titleId) === undefined) throw new AppError('not-found', 'Unknown title');
  return { titleId };
}

function rowOf(entry: FoundEntry, gameName: string): SearchRow {
  const { titleId, leaderboardId, leaderboardName, playerName, rank } = entry;
  return { titleId, gameName, leaderboardId, leaderboardName, playerName, rank, ...ratingView(entry, entry.isTime) };
}
