import { nameKey, type OperationQuery, type operations, type Reply } from '@lobbystats/contracts';
import type { CatalogReader } from '../boards/catalog-reader.ts';
import {
  assertKnownTitle,
  limitRows,
  fetchSearchRows,
  pageFields,
  toSearchRows,
  type SearchRow,
  type SearchPage,
} from './search-rows.ts';
import { readCursor, toCursor } from '../paging/cursor.ts';
import { boardId } from '../boards/board.ts';
import type { FoundEntry } from '../boards/entries.queries.ts';
import type { SearchQueries } from './search.queries.ts';

type PlayersQuery = OperationQuery<typeof operations.searchByPlayers>;

/**
 * @throws AppError `invalid` for a cursor that no answer gave
 * @throws AppError `not-found` for an unknown title
 */
export async function searchByPlayers(
  reader: CatalogReader<SearchQueries>,
  query: PlayersQuery,
): Promise<Reply<typeof operations.searchByPlayers>> {
  const { names, tolerance, titleId, cursor, limit } = query;
  const start = startOf(cursor);
  // The total needs all rows.
  const found = await find(reader, { ...query, limit: cursor === undefined ? limit : Infinity });
  const { rows, truncated } = cursor === undefined ? found : limitRows(found.rows.slice(start), limit);
  const next = truncated ? toCursor(`players ${start + limit}`) : null;
  return {
    body: {
      names,
      tolerance: tolerance ?? null,
      titleId: titleId ?? null,
      results: rows,
      count: rows.length,
      truncated,
      ...pageFields(query, found.rows.length, next),
    },
    next: next === null ? undefined : { cursor: next },
  };
}

/** How many rows are on the pages before. */
function startOf(cursor: string | undefined): number {
  if (cursor === undefined || cursor === 'start') return 0;
  return Number(readCursor(cursor, /^players ([0-9]{1,7})$/)[0]);
}

async function find(
  { titles, boards }: CatalogReader<SearchQueries>,
  { names, tolerance, titleId, limit }: PlayersQuery,
): Promise<SearchPage> {
  const view = await titles.view();
  assertKnownTitle(view, titleId);
  const query = { keys: names.map(nameKey), titleId };
  if (tolerance === undefined) {
    if (limit === Infinity) return limitRows(toSearchRows(await boards.ofPlayers(query), view), limit);
    return fetchSearchRows(view, limit, (count) => boards.ofPlayers({ ...query, limit: count }));
  }
  const rows: SearchRow[] = [];
  for await (const entries of boards.timesOfPlayers(query)) {
    rows.push(...toSearchRows(nearAnotherPlayer(entries, tolerance), view));
    if (rows.length > limit) break;
  }
  return limitRows(rows, limit);
}

/** Entries within `tolerance` ms of another player's entry on the same board. */
export function nearAnotherPlayer(found: readonly FoundEntry[], tolerance: number): FoundEntry[] {
  const nearEntries = new Set<FoundEntry>();
  const boards = Map.groupBy(found, boardId);
  for (const ofBoard of boards.values()) {
    const slowest = ofBoard
      .map((entry) => ({ entry, timeMs: entry.timeMs, playerKey: nameKey(entry.playerName) }))
      .sort((a, b) => a.timeMs - b.timeMs);
    addNearPrevious(slowest, tolerance, nearEntries);
    addNearPrevious(slowest.reverse(), tolerance, nearEntries);
  }
  return found.filter((entry) => nearEntries.has(entry));
}

interface TimedEntry {
  readonly entry: FoundEntry;
  readonly timeMs: number;
  readonly playerKey: string;
}

/** Compares each entry with earlier ones of other players by time. */
function addNearPrevious(byTime: readonly TimedEntry[], tolerance: number, nearEntries: Set<FoundEntry>): void {
  let previous: TimedEntry | undefined;
  let previousOther: TimedEntry | undefined;
  for (const standing of byTime) {
    if (previous !== undefined && previous.playerKey !== standing.playerKey) previousOther = previous;
    previous = standing;
    if (previousOther !== undefined && Math.abs(standing.timeMs - previousOther.timeMs) <= tolerance) {
      nearEntries.add(standing.entry);
    }
  }
}
