import type { ObservedEntry } from '@lobbystats/contracts';
import type { BoardPageReading } from '../../network/network.ts';
import type { BoardDescription, TableDescription } from '../descriptions/source-description.ts';
import { hasMorePages } from './more-pages.parse.ts';
import { loadWholePage, type Page, type PageContext } from './page.parse.ts';
import { picturesOf } from './pictures.parse.ts';
import { lineOf, quote, refuse } from './refusal.ts';
import { findTable, refuseContradicted, type FoundTable } from './find-table.parse.ts';
import { expectName, expectValue } from './expect-value.parse.ts';
import type { Cell } from './tables.parse.ts';
import { normalize, readRank, readTime, timesOfRawRatings } from './values.ts';

const MAX_RATING_LENGTH = 100;
type Field = 'rank' | 'name' | 'score' | 'time';
const PATH = ['leaderboards', 'entries'] as const;

/**
 * Reads every row of a leaderboard page in order, or refuses the page: a missing row would look like a removed record.
 *
 * @throws UnparseablePageError also for rows without a notice that there are none, falling ranks, and a first page that doesn't begin at rank 1
 */
export function readBoardPage(
  html: string,
  description: BoardDescription,
  { page: number = 1, rule = {} }: PageContext = {},
): BoardPageReading {
  const page = loadWholePage(html, description);
  const { entries = {}, pages: paging } = description;
  const board = boardTable(page, entries);
  const value = valueOf(board);
  const shown = board.rows.length;
  const wholeRows = typeof paging === 'object' && 'rows' in paging ? paging.rows : undefined;
  const isFollowed = hasMorePages(page, board.table, { paging, path: ['leaderboards'], number, rows: shown });
  const mayBeEmpty = board.isEmpty || (number > 1 && isFollowed === false && wholeRows !== undefined);
  if (shown === 0 && !mayBeEmpty)
    refuse('its leaderboard has no rows: a script may fill it', lineOf([...PATH, 'none'], 'WHAT IT SAYS THEN'));
  refuseContradicted(page, board, PATH, entries);
  const read = readEntries(board, page, value, description);
  expectRanks(read, { number, startsAt: entries.startsAt });
  // A whole page lacks the row of a player who is banned.
  const isWhole = wholeRows !== undefined && (read.at(-1)?.rank ?? 0) >= wholeRows * number;
  const hasNext = isFollowed || (isWhole && 'perhaps');
  if (value === 'time') return { isTime: true, rows: read, hasNext };
  const times = timesOfRawRatings(
    read.map(({ rating }) => rating),
    rule.rawTime,
  );
  return {
    isTime: times !== undefined,
    rows: read.map((entry, index) => ({ ...entry, timeMs: times?.[index] ?? 0 })),
    hasNext,
  };
}

function boardTable(page: Page, description: TableDescription<Field>): FoundTable<Field> {
  const found = findTable<Field>(page, {
    description,
    path: PATH,
    name: 'leaderboard',
    required: [['rank'], ['name'], ['score', 'time']],
    isRequired: true,
    usual: 'leaderboard',
  });
  return found ?? refuse(`it has no leaderboard whose columns are known`);
}

function valueOf({ columns, headings }: FoundTable<Field>): 'score' | 'time' {
  if (columns.score === undefined) return 'time';
  if (columns.time === undefined) return 'score';
  return refuse(
    `its leaderboard has scores and times: ${quote([headings[columns.score] ?? '', headings[columns.time] ?? ''])}`,
    lineOf([...PATH, 'columns', 'time'], null),
    lineOf([...PATH, 'columns', 'score'], null),
  );
}

function readEntries(
  { rows, columns, headings }: FoundTable<Field>,
  page: Page,
  value: 'score' | 'time',
  { formats, entries }: BoardDescription,
): ObservedEntry[] {
  let last = 0;
  return rows.map((row) => {
    const [rankCell, nameCell, cell] = (['rank', 'name', value] as const).map((field) => row[columns[field] ?? -1]);
    const shown = expectValue(page, rankCell, 'rank on its leaderboard');
    // A medal is no empty rank.
    const isBlank = shown === '' && (rankCell === undefined || picturesOf(rankCell.element).length === 0);
    const rank = isBlank && entries?.blankRank === 'tie' && last > 0 ? last : readRank(shown, formats?.rank);
    if (rank === undefined) {
      return refuse(
        `a row of its leaderboard has the rank "${shown}"`,
        isBlank ? lineOf([...PATH, 'blankRank'], 'tie') : lineOf(['leaderboards', 'formats', 'rank'], 'FORMAT'),
      );
    }
    last = rank;
    const name = expectName(page, nameCell, 'name on its leaderboard');
    const shownRating = cell?.text === '' ? pictureText(cell) : expectValue(page, cell, `${value} on its leaderboard`);
    const rating = withoutHeading(shownRating, headings[columns[value] ?? -1] ?? '');
    if (rating === '' || rating.length > MAX_RATING_LENGTH || rating.includes('\uFFFD')) {
      refuse(`a row of its leaderboard has no readable ${value}: "${cell?.text.slice(0, 100) ?? ''}"`);
    }
    const timeMs = value === 'time' ? readTime(rating, formats?.time) : 0;
    if (timeMs !== undefined) return { rank, name, rating, timeMs };
    return refuse(
      `"${rating}" on its leaderboard is no time of a known format`,
      lineOf(['leaderboards', 'formats', 'time'], 'FORMAT'),
      lineOf([...PATH, 'columns'], { time: null, score: headings[columns.time ?? -1] }),
    );
  });
}

/** What the one picture of a cell stands for, such as the image of a level. */
function pictureText(cell: Cell): string {
  const [picture, ...others] = picturesOf(cell.element);
  if (picture === undefined || others.length > 0) return '';
  return (picture.attribs['alt'] ?? picture.attribs['title'] ?? '').replace(/\s+/g, ' ').trim();
}

/** `Level 44` below the heading `Level` is 44. */
function withoutHeading(value: string, heading: string): string {
  const name = normalize(heading);
  const rest = value.slice(name.length + 1);
  return name !== '' && value.toLowerCase().startsWith(`${name} `) && /^[-+]?\d/.test(rest) ? rest : value;
}

/**
 * @param startsAt what rank the first page begins at
 * @throws UnparseablePageError for falling ranks, and for a first page that begins later: the best are elsewhere
 */
export function expectRanks(
  rows: readonly ObservedEntry[],
  { number, startsAt = 1 }: { number: number; startsAt?: 1 | 'any' | undefined },
): void {
  const [first] = rows;
  if (number === 1 && startsAt === 1 && first !== undefined && first.rank !== 1) {
    refuse(
      `its leaderboard begins at rank ${first.rank}: those before may be elsewhere on the page`,
      lineOf([...PATH, 'startsAt'], 'any'),
    );
  }
  const fall = rows.findIndex(({ rank }, index) => index > 0 && rank < (rows[index - 1]?.rank ?? 0));
  if (fall > 0) refuse(`its ranks fall from ${rows[fall - 1]?.rank ?? 0} to ${rows[fall]?.rank ?? 0}`);
}
