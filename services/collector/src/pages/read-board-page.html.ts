import type { CheerioAPI } from 'cheerio';
import { PLAYER_NAME_MAX, type ObservedEntry } from '@lobbystats/contracts';
import { UnparseablePageError } from '../network/page-failures.ts';
import type { BoardPageReading } from '../network/network.ts';
import { isClosed, type Element } from './document.html.ts';
import { readLapTime, readCount } from './text-values.ts';
import { isNotice, tablesOf, type Cell, type Table } from './tables.html.ts';
import { loadWholePage, type Page } from './page.html.ts';

const RANK = /^(?:rank|#|pos\.?|position|place)$/;
const NAME = /^(?:(?:player|user)?\s?name|gamertag|player)$/;
const TIME = /^(?:best\s)?(?:(?:lap\s)?time|lap)$/;
const SCORE = /^(?:best\s|total\s)?(?:score|rating|kudos|points)$/;

const MAX_RATING_LENGTH = 100;
const MAX_RANK = 2_147_483_647;

interface Columns {
  count: number;
  rank: number;
  name: number;
  time: number | undefined;
  score: number | undefined;
}

/**
 * Reads every row of a leaderboard page in order, or refuses the page: a missing row would look like a removed record. A
 * time column in the header makes the board a time board. The table is `table.leaderboard`, else the only one with such
 * a header.
 *
 * @throws UnparseablePageError when it is truncated, has no leaderboard or an unreadable row
 */
export function readBoardPage(html: string): BoardPageReading {
  const page = loadWholePage(html);
  const { element, rows, columns } = boardTable(page);
  if (!isClosed(element)) throw new UnparseablePageError('its leaderboard is not closed');
  const isTime = columns.time !== undefined;
  return {
    isTime,
    rows: rows.filter((row) => !isNotice(row)).map((row) => readEntry(expandSpans(row), columns, isTime)),
    hasNext: hasNextLink(page.$),
  };
}

interface BoardTable {
  element: Element;
  rows: Cell[][];
  columns: Columns;
}

function boardTable(page: Page): BoardTable {
  const marked = new Set<Element>(page.$('table.leaderboard').toArray());
  const boards = tablesOf(page).flatMap((table) => boardOf(table) ?? []);
  const candidates = marked.size === 0 ? boards : boards.filter(({ element }) => marked.has(element));
  const [board] = candidates;
  if (board === undefined) throw new UnparseablePageError('it has no leaderboard whose columns are known');
  if (candidates.length > 1) throw new UnparseablePageError('it has several leaderboards');
  return board;
}

function boardOf({ element, header, rows }: Table): BoardTable | undefined {
  const [first = [], ...others] = rows;
  const isMarked = header.length > 0;
  const columns = columnsOf(isMarked ? header : expandSpans(first).map((cell) => cell?.text.toLowerCase() ?? ''));
  return columns && { element, rows: isMarked ? rows : others, columns };
}

function columnsOf(header: readonly string[]): Columns | undefined {
  const [rank, name, time, score] = [RANK, NAME, TIME, SCORE].map((word) => {
    const index = header.findIndex((text) => word.test(text));
    return index === -1 ? undefined : index;
  });
  if (rank === undefined || name === undefined || (time === undefined && score === undefined)) return undefined;
  return { count: header.length, rank, name, time, score };
}

function expandSpans(row: Cell[]): (Cell | undefined)[] {
  return row.flatMap((cell) => [cell, ...Array<undefined>(cell.span - 1).fill(undefined)]);
}

function readEntry(row: readonly (Cell | undefined)[], columns: Columns, isTime: boolean): ObservedEntry {
  const rank = readRank(row[columns.rank]?.text ?? '');
  if (rank === undefined) throw new UnparseablePageError('a row has no readable rank');
  const name = row[columns.name]?.text ?? '';
  if (name === '' || name.length > PLAYER_NAME_MAX) throw new UnparseablePageError('a row has no readable name');
  const rating = row[(isTime ? columns.time : columns.score) ?? -1]?.text;
  if (rating === undefined || rating === '' || rating.length > MAX_RATING_LENGTH) {
    throw new UnparseablePageError('a row has no readable rating');
  }
  // A missing cell shifts the others. A shifted time fails to parse; a shifted score would not be noticed.
  if (!isTime && row.length !== columns.count) throw new UnparseablePageError('a row has cells missing');
  const timeMs = isTime ? readLapTime(rating) : 0;
  if (timeMs === undefined) throw new UnparseablePageError('a row has no readable time');
  return { rank, name, rating, timeMs };
}

function readRank(text: string): number | undefined {
  const rank = readCount(text.replace(/^#\s*/, '').replace(/\s*(?:\.|st|nd|rd|th)$/i, ''));
  return rank !== undefined && rank >= 1 && rank <= MAX_RANK ? rank : undefined;
}

function hasNextLink($: CheerioAPI): boolean {
  return $('a[rel]')
    .toArray()
    .some(({ attribs }) => (attribs['rel'] ?? '').toLowerCase().split(/\s+/).includes('next'));
}
