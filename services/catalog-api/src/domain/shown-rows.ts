import type { OperationAnswer, operations } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { FoundEntry } from './board-store.ts';
import { ratingView } from './entry-view.ts';
import type { TitleView } from './title-view.ts';

/** An entry as a search shows it. */
export type SearchRow = OperationAnswer<typeof operations.searchByTime>['results'][number];

/** Rows, and whether there are more than these. */
export interface SomeRows {
  readonly rows: SearchRow[];
  readonly truncated: boolean;
}

/** The entries of titles that are shown; one that has no name yet is unknown to every route. */
export function shownRows(found: readonly FoundEntry[], view: TitleView): SearchRow[] {
  return found.flatMap((entry) => {
    const title = view.get(entry.titleId)?.title;
    return title === undefined ? [] : [rowOf(entry, title.name)];
  });
}

/**
 * The first `limit` entries of titles that are shown. Entries of others take no row's place: where they were among those
 * found, more are fetched.
 *
 * @param fetch finds the first entries, so many at most
 */
export async function firstShownRows(
  view: TitleView,
  limit: number,
  fetch: (limit: number) => Promise<FoundEntry[]>,
): Promise<SomeRows> {
  for (let wanted = limit + 1; ; wanted *= 2) {
    const found = await fetch(wanted);
    const rows = shownRows(found, view);
    if (rows.length > limit || found.length < wanted) return firstRows(rows, limit);
  }
}

/** The first `limit` of rows. */
export function firstRows(rows: readonly SearchRow[], limit: number): SomeRows {
  return { rows: rows.slice(0, limit), truncated: rows.length > limit };
}

/**
 * What a search in one title asks the store for besides.
 *
 * @throws AppError `not-found` for a title that is unknown
 */
export function withinTitle(view: TitleView, titleId: string | undefined): { titleId?: string } {
  if (titleId === undefined) return {};
  if (view.get(titleId) === undefined) throw new AppError('not-found', 'Unknown title');
  return { titleId };
}

function rowOf(entry: FoundEntry, gameName: string): SearchRow {
  const { titleId, leaderboardId, leaderboardName, playerName, rank } = entry;
  return { titleId, gameName, leaderboardId, leaderboardName, playerName, rank, ...ratingView(entry, entry.isTime) };
}
