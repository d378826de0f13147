import { PLAYER_NAME_MAX, type ObservedMatch } from '@lobbystats/contracts';
import { UnparseablePageError } from '../network/page-failures.ts';
import { childElements, hasClass, parentElement, type Element } from './document.parse.ts';
import { columnOf, namesTotal } from './headings.ts';
import { readName } from './names.parse.ts';
import { dataRowsOf, expandSpans, tablesOf, withHeadings, type Cell, type Table } from './tables.parse.ts';
import { readCount, readPlayerCount, type PlayerCount } from './text-values.ts';
import type { Page } from './page.parse.ts';

/** A sentence of a page that says that there are no matches, and nothing else. */
const NO_MATCHES =
  /^(?:there (?:are|is) )?(?:currently )?(?:no (?:(?:one|body|players?|users?)(?: is| are)?|(?:[a-z]+ ){0,3}(?:match(?:es)?|sessions?|lobb(?:y|ies)|games?))|nobody(?: is)?|none(?: is| are)?)(?: (?:are|is|currently|right now|now|at the moment|at present|found|available|open|active|playing|hosting|online|in progress|yet|being played|to (?:show|display|join)|for this game))*[.!]?$/i;
/** A word that {@link NO_MATCHES} must have. */
const MATCH_WORD = /match|session|lobb|playing|hosting/i;

interface Columns {
  count: number;
  host: number;
  players: number;
  maxPlayers: number | undefined;
  /** A column of slots has players only as `3/8`. */
  isSlots: boolean;
}

interface MatchTable {
  table: Table;
  /** Undefined for a table without headings: a host and a number of players in each row. */
  columns: Columns | undefined;
  rows: Cell[][];
}

/**
 * All open matches, or the page is not understood. The table is the one whose headings name host and players; without
 * one, the first `table.table-striped` without headings. An empty table must have a notice that there are no matches, or
 * the page must: a script may fill it. Null otherwise.
 *
 * @throws UnparseablePageError when the table isn't closed, or a host or a number of players can't be read
 */
export function readMatches(page: Page): ObservedMatch[] | null {
  const found = matchTable(page);
  if (found === undefined) return hasEmptyNotice(page) ? [] : null;
  const { lack } = found.table;
  if (lack !== undefined) throw new UnparseablePageError(`its table of matches ${lack}`);
  const rows = dataRowsOf(found.rows);
  if (rows !== undefined) return withoutTotal(rows.map((row) => readMatch(row, found.columns, page)));
  if (found.rows.length > 0) throw new UnparseablePageError('its table of matches may lack rows');
  return hasEmptyNotice(page) ? [] : null;
}

/** The element of the table of matches, if there is one. */
export function matchTableOf(page: Page): Element | undefined {
  return matchTable(page)?.table.element;
}

function matchTable(page: Page): MatchTable | undefined {
  const tables = tablesOf(page);
  const named = tables.flatMap((table) => {
    const found = withHeadings(table, columnsOf);
    return found === undefined ? [] : [{ table, ...found }];
  });
  if (named.length > 1) throw new UnparseablePageError('it has several tables of matches');
  const first = tables.find(({ element }) => hasClass(element, 'table-striped'));
  return named[0] ?? (first !== undefined && isBareMatchTable(first, page) ? bare(first) : undefined);
}

function bare(table: Table): MatchTable {
  return { table, columns: undefined, rows: table.rows };
}

function columnsOf(header: readonly string[]): Columns | undefined {
  if (columnOf(header, 'rank') !== undefined) return undefined;
  const [host, players, maxPlayers] = (['host', 'players', 'maxPlayers'] as const).map((each) =>
    columnOf(header, each),
  );
  if (host === undefined || players === undefined) return undefined;
  if (typeof host !== 'number' || typeof players !== 'number' || maxPlayers === 'several') {
    throw new UnparseablePageError('two headings of its table of matches fit one column');
  }
  const isSlots = /^(?:slots|size)$/.test(header[players] ?? '');
  return { count: header.length, host, players, maxPlayers, isSlots };
}

/** Foreign by its caption or the heading before it. */
const OTHER_TABLE = /leader|rank|score|record|best|top|server|playlist|status/i;

function isBareMatchTable(table: Table, { text }: Page): boolean {
  const { header, rows, element } = table;
  if (header.length > 0 || OTHER_TABLE.test(titleOf(element, text))) return false;
  const data = dataRowsOf(rows);
  return data === undefined
    ? rows.length === 0
    : data.every((row) => row.length === 2 && playersOf(row[1]) !== undefined);
}

const MAX_LEVELS = 3;

function titleOf(table: Element, text: Page['text']): string {
  const caption = childElements(table).find(({ name }) => name === 'caption');
  if (caption !== undefined) return text.textOf(caption);
  let element: Element | undefined = table;
  for (let level = 0; level < MAX_LEVELS && element !== undefined; level += 1) {
    for (let node = element.prev; node !== null; node = node.prev) {
      if ('attribs' in node && /^h[1-6]$/.test(node.name)) return text.textOf(node);
    }
    element = parentElement(element);
  }
  return '';
}

function readMatch(row: readonly Cell[], columns: Columns | undefined, { text }: Page): ObservedMatch {
  const cells = expandSpans(row);
  if (columns !== undefined && cells.length !== columns.count)
    throw new UnparseablePageError('a match has cells missing');
  const cell = columns === undefined ? cells[1] : cells[columns.players];
  const count = playersOf(cell);
  if (count === undefined || (columns?.isSlots === true && count.maxPlayers === 0)) {
    throw new UnparseablePageError('a match has no readable number of players');
  }
  const hostCell = cells[columns?.host ?? 0];
  const host = hostCell && readName(hostCell.element, text)?.name.replace(/^hosted by\s+/i, '');
  if (host === undefined || host === '' || host.length > PLAYER_NAME_MAX) {
    throw new UnparseablePageError('a match has no readable host');
  }
  return { host, ...withMaximum(count, columns?.maxPlayers === undefined ? undefined : cells[columns.maxPlayers]) };
}

function playersOf(cell: Cell | undefined): PlayerCount | undefined {
  return cell?.numbers === undefined ? undefined : readPlayerCount(cell.numbers);
}

/** The maximum of its own column; none is shown for one that is unknown. */
function withMaximum({ players, maxPlayers }: PlayerCount, cell: Cell | undefined): PlayerCount {
  if (cell === undefined || /^(?:[-–—?]|n\/?a)?$/i.test(cell.text)) return { players, maxPlayers };
  const maximum = readCount(cell.numbers ?? '');
  const isContradicted = maximum !== undefined && maxPlayers !== 0 && maxPlayers !== maximum;
  if (maximum === undefined || isContradicted || (maximum > 0 && maximum < players)) {
    throw new UnparseablePageError('a match has no readable maximum of players');
  }
  return { players, maxPlayers: maximum };
}

/** The last row may be the sum of the others. */
function withoutTotal(matches: ObservedMatch[]): ObservedMatch[] {
  const last = matches.at(-1);
  if (last === undefined || !namesTotal(last.host) || last.maxPlayers !== 0) return matches;
  const others = matches.slice(0, -1);
  const sum = others.reduce((players, match) => players + match.players, 0);
  if (others.length > 1 && sum === last.players) return others;
  throw new UnparseablePageError('its table of matches has a row that may be their total');
}

function hasEmptyNotice({ text }: Page): boolean {
  return text.lines.some(({ plain }) => NO_MATCHES.test(plain) && MATCH_WORD.test(plain));
}
