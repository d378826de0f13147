import { PLAYER_NAME_MAX, type ObservedEntry } from '@lobbystats/contracts';
import { UnparseablePageError } from '../network/page-failures.ts';
import type { BoardPageReading } from '../network/network.ts';
import { boardColumnsOf, type BoardColumns } from './board-columns.parse.ts';
import { hasClass } from './document.parse.ts';
import { hasNextPage } from './next-page.parse.ts';
import { readName } from './names.parse.ts';
import { timesOfRawRatings, type RatingRule } from './raw-times.ts';
import { readLapTime, readRank } from './text-values.ts';
import { addressOf, picturesOf } from './pictures.parse.ts';
import { dataRowsOf, expandSpans, tablesOf, withHeadings, type Cell } from './tables.parse.ts';
import { loadWholePage, type Page } from './page.parse.ts';

const MAX_RATING_LENGTH = 100;

/**
 * Reads every row of a leaderboard page in order, or refuses the page: a missing row would look like a removed record. A
 * time column in the header makes the board a time board. The table is `table.leaderboard`, else the only one with such
 * a header. A table without rows must say that it has none: a script may fill it.
 *
 * @throws UnparseablePageError when it is truncated, has no leaderboard, an unreadable row, or rows that come by script
 */
export function readBoardPage(html: string, _baseUrl?: string, rule: RatingRule = {}): BoardPageReading {
  const page = loadWholePage(html);
  const { lack, rows, columns } = boardTable(page);
  if (lack !== undefined) throw new UnparseablePageError(`its leaderboard ${lack}`);
  const data = dataRowsOf(rows);
  if (data === undefined)
    throw new UnparseablePageError('its leaderboard has no rows, or says that more come: a script may fill it');
  const hasNext = hasNextPage(page);
  const isTime = columns.time !== undefined;
  const entries = data.map((row) => readEntry(expandSpans(row), columns, { page, rule }));
  if (isTime) return { isTime, rows: entries.map(withTime), hasNext };
  const times = timesOfRawRatings(
    entries.map(({ rating }) => rating),
    rule,
  );
  const timed = entries.map((entry, index) => ({ ...entry, timeMs: times?.[index] ?? 0 }));
  return { isTime: times !== undefined, rows: timed, hasNext };
}

interface BoardTable {
  lack: string | undefined;
  rows: Cell[][];
  columns: BoardColumns;
}

function boardTable(page: Page): BoardTable {
  const tables = tablesOf(page);
  const marked = tables.filter(({ element }) => hasClass(element, 'leaderboard'));
  const candidates = marked.length > 0 ? marked : tables;
  const boards = candidates.flatMap((table) => {
    const board = withHeadings(table, boardColumnsOf);
    return board === undefined ? [] : [{ lack: table.lack, ...board }];
  });
  const [board] = boards;
  if (board === undefined) throw new UnparseablePageError('it has no leaderboard whose columns are known');
  if (boards.length > 1) throw new UnparseablePageError('it has several leaderboards');
  return board;
}

type Entry = Omit<ObservedEntry, 'timeMs'>;

function readEntry(
  row: readonly (Cell | undefined)[],
  columns: BoardColumns,
  { page: { text }, rule }: { page: Page; rule: RatingRule },
): Entry {
  // A missing cell shifts the others.
  if (row.length !== columns.count) throw new UnparseablePageError('a row has cells missing');
  const rank = readRank(valueOf(row[columns.rank]));
  if (rank === undefined) throw new UnparseablePageError('a row has no readable rank');
  const cell = row[columns.name];
  const name = cell && readName(cell.element, text)?.name;
  if (name === undefined || name === '' || name.length > PLAYER_NAME_MAX) {
    throw new UnparseablePageError('a row has no readable name');
  }
  const rating = withoutHeading(valueOf(row[columns.time ?? columns.score ?? -1], rule), columns.heading);
  if (rating === '' || rating.length > MAX_RATING_LENGTH || rating.includes('\uFFFD')) {
    throw new UnparseablePageError('a row has no readable rating');
  }
  return { rank, name, rating };
}

function withTime(entry: Entry): ObservedEntry {
  const timeMs = readLapTime(entry.rating);
  if (timeMs === undefined) throw new UnparseablePageError('a row has no readable time');
  return { ...entry, timeMs };
}

/** The text of a cell, or of its picture when it has nothing else: a medal, or the image of a level. */
function valueOf(cell: Cell | undefined, { picture: pattern }: RatingRule = {}): string {
  if (cell === undefined) return '';
  if (cell.text !== '') return cell.numbers ?? '';
  const [picture, ...others] = picturesOf(cell.element);
  if (picture === undefined || others.length > 0) return '';
  if (pattern !== undefined) return new RegExp(pattern).exec(addressOf(picture))?.[1] ?? '';
  return (picture.attribs['alt'] ?? picture.attribs['title'] ?? '').replace(/\s+/g, ' ').trim();
}

/** `Level 44` below the heading `Level` is 44. */
function withoutHeading(value: string, heading: string): string {
  const isNamed = heading !== '' && value.toLowerCase().startsWith(`${heading} `);
  return isNamed ? value.slice(heading.length + 1) : value;
}
