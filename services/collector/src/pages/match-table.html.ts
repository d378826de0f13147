import { PLAYER_NAME_MAX, type ObservedMatch } from '@lobbystats/contracts';
import { UnparseablePageError } from '../network/page-failures.ts';
import { isClosed, type Element } from './document.html.ts';
import { isNotice, EMPTY_NOTICE, columnOf, tablesOf, type Cell, type Table } from './tables.html.ts';
import { readPlayerCount } from './text-values.ts';
import type { Page } from './page.html.ts';
import { shortTextOf, visibleElements } from './page-texts.html.ts';

const HOST = /\bhost|gamertag|\bcreator\b|\bowner\b/;
const PLAYERS = /\bplayers?\b|\bslots?\b|\busers?\b/;
const OTHER_TABLE = /rank|score|rating|time|region|status/;
const NO_MATCHES = /^(?!.*leaderboard)(?:[a-z]+ ){1,6}(?:match(?:es)?|sessions?|lobb(?:y|ies)|playing|hosting)\b/i;
/** A longer name is an error: gamertags have 15 characters, and truncation could merge two hosts. */
const MAX_NOTICE_LENGTH = 80;

/**
 * All open matches, or the page is not understood. The table is the one whose header names a host; without one, the
 * first `table.table-striped`. Without a table, the page must say that nobody plays: a missing table may be changed
 * markup. Null otherwise.
 *
 * @throws UnparseablePageError when the table isn't closed, or a host or a number of players can't be read
 */
export function readMatches(page: Page): ObservedMatch[] | null {
  const table = matchTable(page);
  if (table === undefined) return hasEmptyNotice(page) ? [] : null;
  if (!isClosed(table.element)) throw new UnparseablePageError('its table of matches is not closed');
  return table.rows.filter((row) => !isNotice(row)).map((row) => readMatch(row, table));
}

function matchTable(page: Page): Table | undefined {
  const tables = tablesOf(page);
  const striped = new Set<Element>(page.$('table.table-striped').toArray());
  const isStriped = ({ element }: Table) => striped.has(element);
  const named = tables.filter((table) => columnOf(table, HOST) !== undefined && canHoldMatches(table));
  const first = tables.find(isStriped);
  return named.find(isStriped) ?? named[0] ?? (first !== undefined && canHoldMatches(first) ? first : undefined);
}

function canHoldMatches(table: Table): boolean {
  if (table.header.length > 0) {
    const [namesHost, namesPlayers, isForeign] = [HOST, PLAYERS, OTHER_TABLE].map(
      (word) => columnOf(table, word) !== undefined,
    );
    return isForeign === true
      ? namesHost === true && namesPlayers === true
      : namesHost === true || namesPlayers === true;
  }
  return table.rows.every((row) => isNotice(row) || playersCell(row, table) !== undefined);
}

function readMatch(row: Cell[], table: Table): ObservedMatch {
  const cell = playersCell(row, table);
  const players = readPlayerCount(cell?.text ?? '');
  if (players === undefined) throw new UnparseablePageError('a match has no readable number of players');
  const column = row.length === table.header.length ? columnOf(table, HOST) : undefined;
  const host = (column === undefined ? row.find((other) => other !== cell) : row[column])?.text ?? '';
  if (host === '' || host.length > PLAYER_NAME_MAX) throw new UnparseablePageError('a match has no readable host');
  return { host, ...players };
}

/** Found by the header, else by right alignment, else the last cell that parses; never the first, since a host may be named 1942. */
function playersCell(row: Cell[], table: Table): Cell | undefined {
  const column = row.length === table.header.length ? columnOf(table, PLAYERS) : undefined;
  if (column !== undefined) return row[column];
  const readable = row.slice(1).filter(({ text }) => readPlayerCount(text) !== undefined);
  const aligned = readable.filter(({ element }) => /\btext-right\b/.test(element.attribs['class'] ?? ''));
  return aligned.length === 1 ? aligned[0] : readable.at(-1);
}

function hasEmptyNotice({ $, textOf }: Page): boolean {
  const body = $('body').get(0);
  if (body === undefined) return false;
  for (const element of visibleElements(body)) {
    const text = shortTextOf(element, MAX_NOTICE_LENGTH, textOf) ?? '';
    if (EMPTY_NOTICE.test(text) && NO_MATCHES.test(text)) return true;
  }
  return false;
}
