import { formatRaceTime, type OperationQuery, type operations, type Reply } from '@lobbystats/contracts';
import { readConsistently, type CatalogReader } from '../boards/catalog-reader.ts';
import { readCursor, toCursor, unknownCursor } from '../paging/cursor.ts';
import type { TitleView } from '../titles/title-view.ts';
import { assertKnownTitle, fetchSearchRows, limitRows, pageFields, type SearchPage } from './search-rows.ts';
import type { SearchQueries } from './search.queries.ts';

type TimeQuery = OperationQuery<typeof operations.searchByTime>;

/**
 * @throws AppError `invalid` for a cursor that no answer gave
 * @throws AppError `not-found` for an unknown title
 */
export async function searchByTime(
  { titles, boards }: CatalogReader<SearchQueries>,
  query: TimeQuery,
): Promise<Reply<typeof operations.searchByTime>> {
  const { time: timeMs, tolerance, titleId, cursor } = query;
  const start = startOf(query);
  const view = await titles.view();
  assertKnownTitle(view, titleId);
  const titleIds = titleId === undefined ? view.all().titles.map((title) => title.titleId) : [titleId];
  const { page, total } = await readConsistently(boards, async () => ({
    page: await readPage({ boards, view }, query, start),
    total: cursor === undefined ? undefined : await boards.countNearTime({ timeMs, tolerance, titleIds }),
  }));
  const next = page.truncated ? endOf(page, timeMs, start) : null;
  return {
    body: {
      searchTime: formatRaceTime(timeMs),
      searchTimeMs: timeMs,
      tolerance,
      results: page.rows,
      count: page.rows.length,
      truncated: page.truncated,
      ...pageFields(query, total, next),
    },
    next: next === null ? undefined : { cursor: next },
  };
}

/** A cursor follows some of the rows at a distance from the time, so that changes of nearer rows do not shift it. */
interface TimeStart {
  readonly distance: number;
  readonly rows: number;
}

function startOf({ cursor, tolerance }: TimeQuery): TimeStart {
  if (cursor === undefined || cursor === 'start') return { distance: 0, rows: 0 };
  const [distance = 0, rows = 0] = readCursor(cursor, /^time ([0-9]{1,5}) ([0-9]{1,7})$/).map(Number);
  if (distance > tolerance) throw unknownCursor();
  return { distance, rows };
}

function endOf({ rows }: SearchPage, timeMs: number, start: TimeStart): string {
  const distances = rows.map((row) => Math.abs(row.timeMs - timeMs));
  const distance = distances.at(-1) ?? 0;
  const before = distance === start.distance ? start.rows : 0;
  return toCursor(`time ${distance} ${before + distances.filter((one) => one === distance).length}`);
}

/** Reads the rest of the start's distance apart: a cursor can't make it read more rows than have that distance. */
async function readPage(
  { boards, view }: { boards: CatalogReader<SearchQueries>['boards']; view: TitleView },
  { time: timeMs, tolerance, titleId, limit }: TimeQuery,
  start: TimeStart,
): Promise<SearchPage> {
  const read = (from: number, to: number, count: number) =>
    fetchSearchRows(view, count, (rows) => boards.nearTime({ timeMs, titleId, from, tolerance: to, limit: rows }));
  if (start.rows === 0) return read(start.distance, tolerance, limit);
  const nearest = await read(start.distance, start.distance, start.rows + limit);
  const rows = nearest.rows.slice(start.rows);
  if (nearest.truncated || start.distance === tolerance) return { rows, truncated: nearest.truncated };
  const farther = await read(start.distance + 1, tolerance, limit);
  return limitRows([...rows, ...farther.rows], limit, farther.truncated);
}
