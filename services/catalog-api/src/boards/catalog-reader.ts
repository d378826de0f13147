import type { BoardQueries } from './boards.queries.ts';
import type { EntryQueries } from './entries.queries.ts';
import type { TitleCatalog } from '../titles/title-catalog.ts';

/** The titles and the stored boards. @typeParam Queries what else is asked of the store */
export interface CatalogReader<Queries = unknown> {
  readonly titles: Pick<TitleCatalog, 'view'>;
  readonly boards: BoardQueries & EntryQueries & Queries;
}

/** Retries while boards are committed. */
const MAX_ATTEMPTS = 5;

/** Reads several things at one revision, with retries. The last attempt's result is returned as it is. */
export async function readConsistently<Result>(
  boards: Pick<BoardQueries, 'changeLog'>,
  read: () => Promise<Result>,
): Promise<Result> {
  let { revision } = await boards.changeLog();
  for (let attempt = 1; ; attempt += 1) {
    const result = await read();
    const after = (await boards.changeLog()).revision;
    if (after === revision || attempt === MAX_ATTEMPTS) return result;
    revision = after;
  }
}

/** Unpacking more takes too much of the process's time. */
const VERSION_ENTRIES_MAX = 100_000;

/** How many versions of a board one request reads. */
export function versionsWithin(entryCount: number): number {
  return Math.max(1, Math.floor(VERSION_ENTRIES_MAX / Math.max(1, entryCount)));
}
