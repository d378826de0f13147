import type { OperationAnswer, operations } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { FoundEntry } from './board-store.ts';
import { ratingView } from './entry-view.ts';
import type { TitleView } from './title-view.ts';

export type SearchRow = OperationAnswer<typeof operations.searchByTime>['results'][number];

export interface SomeRows {
  readonly rows: SearchRow[];
  readonly truncated: boolean;
}

/** Titles without a name are hidden. */
export function shownRows(found: readonly FoundEntry[], view: TitleView): SearchRow[] {
  return found.flatMap((entry) => {
    const title = view.get(entry.titleId)?.title;
    return title === undefined ? [] : [rowOf(entry, title.name)];
  });
}

/** Fetches more when titles without a name took some of the first rows. */
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

export function firstRows(rows: readonly SearchRow[], limit: number): SomeRows {
  return { rows: rows.slice(0, limit), truncated: rows.length > limit };
}

/** @throws AppError `not-found` for a title that is unknown */
export function withinTitle(view: TitleView, titleId: string | undefined): { titleId?: string } {
  if (titleId === undefined) return {};
  if (view.get(titleId) === undefined) throw new AppError('not-found', 'Unknown title');
  return { titleId };
}

function rowOf(entry: FoundEntry, gameName: string): SearchRow {
  const { titleId, leaderboardId, leaderboardName, playerName, rank } = entry;
  return { titleId, gameName, leaderboardId, leaderboardName, playerName, rank, ...ratingView(entry, entry.isTime) };
}
