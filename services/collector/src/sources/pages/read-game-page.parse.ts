import { BOARD_NAME_MAX, networkId, type ObservedMatch } from '@lobbystats/contracts';
import type { GamePageReading, PageMetadata } from '../../network/network.ts';
import { listOf, type TitleDescription } from '../descriptions/source-description.ts';
import type { ListedBoard } from '../../network/board.ts';
import { isClosed, isElement, type Element } from './document.parse.ts';
import { findLabelled } from './labels.parse.ts';
import { hasMorePages } from './more-pages.parse.ts';
import { loadWholePage, type Page, type PageContext } from './page.parse.ts';
import { lineOf, refuse } from './refusal.ts';
import { findTable, noticeOf, refuseContradicted, type FoundTable } from './find-table.parse.ts';
import { expectName, expectValue, valueIn } from './expect-value.parse.ts';
import { tablesOf, type Row } from './tables.parse.ts';
import { isCut, isOneOf, readCount, readPlayerCount, readReleaseDate } from './values.ts';

type Field = 'host' | 'players' | 'maxPlayers';
const PATH = ['titles', 'matches'] as const;

/**
 * Reads a game page: open matches, metadata and leaderboards. Matches are null without a table of them and a notice that there are none.
 *
 * @throws UnparseablePageError also for a page that has none of the three
 * @param isGame whether it is known to be one
 */
export function readGamePage(
  html: string,
  description: TitleDescription,
  { page: number }: PageContext,
  isGame = false,
): GamePageReading {
  const page = loadWholePage(html, description);
  const found = findTable<Field>(page, {
    description: description.matches ?? {},
    path: PATH,
    name: 'table of matches',
    required: [['host'], ['players']],
    without: NOT_OPEN,
  });
  const rows = found === undefined ? [] : readMatches(page, found, description, number);
  const matches =
    rows.length > 0 || found?.isEmpty === true || noticeOf(page, description.matches ?? {}) !== undefined ? rows : null;
  const metadata = readMetadata(page, found?.table.element, description);
  const menu = menuOf(page, description);
  if (!isGame && matches === null && metadata === null && menu === undefined) refuse('it is not the page of a game');
  const tables = matches === null ? { tables: tablesOf(page).map(({ headings }) => headings) } : {};
  return { matches, metadata, boards: menu === undefined ? null : readBoardMenu(page, menu), ...tables };
}

/** Headings of tables of leaderboards and of users, and words for finished or planned matches. */
const NOT_OPEN =
  /^(?:rank|#|score|date|winner|tournament|clan|status|state|result|game|when|played|since)$|\b(?:past|recent|ended|finished|closed|completed|previous|last|history|scheduled|planned|upcoming|starts?|final)\b/;

function readMatches(
  page: Page,
  found: FoundTable<Field>,
  description: TitleDescription,
  number: number | undefined,
): ObservedMatch[] {
  const { rows, table, columns } = found;
  const more = hasMorePages(page, table, { paging: description.pages, path: ['titles'], number, rows: rows.length });
  if (more !== false) refuse('its matches are on several pages: only those of one page can be read');
  refuseContradicted(page, found, PATH, description.matches);
  const matches = rows.map((row) => readMatch(row, page, columns, description));
  const sumOf = (field: 'players' | 'maxPlayers') => matches.reduce((sum, match) => sum + match[field], 0);
  const all = { count: matches.length, players: sumOf('players'), maxPlayers: sumOf('maxPlayers') };
  const total = matches.find((match) => isTotal(match, all));
  if (total === undefined) return matches;
  return refuse(
    `the row of "${total.host}" may be the sum of its table of matches`,
    lineOf([...PATH, 'ignoreRows'], total.host),
  );
}

const TOTAL =
  /^(?:(?:grand|sub)?[ -]?totals?|sum|all|overall|average)(?: (?:games|players))?:?$|^sub-?total |^(?:all|\d+) (?:games|players|sessions?|match(?:es)?|lobb(?:y|ies)):?$/i;

/** By its name, or as the sum of all others in players and places; a match may by chance have as many players alone. */
function isTotal(
  { host, players, maxPlayers }: ObservedMatch,
  all: { count: number; players: number; maxPlayers: number },
): boolean {
  const places = all.maxPlayers - maxPlayers;
  const isSum = all.count > 2 && players > 0 && 2 * players === all.players;
  return TOTAL.test(host) || (isSum && places > 0 && (maxPlayers === places || maxPlayers === 0));
}

function readMatch(
  row: Row,
  page: Page,
  columns: FoundTable<Field>['columns'],
  { formats }: TitleDescription,
): ObservedMatch {
  const [hostCell, cell, maxCell] = (['host', 'players', 'maxPlayers'] as const).map(
    (field) => row[columns[field] ?? -1],
  );
  const host = expectName(page, hostCell, 'host of a match');
  if (/^hosted by\s/i.test(host)) refuse(`a host of a match is "${host}", which may have a label`);
  const shown = expectValue(page, cell, 'number of players');
  const count = readPlayerCount(shown, formats?.players);
  if (count === undefined) {
    return refuse(`a match has "${shown}" as its players`, lineOf(['titles', 'formats', 'players'], 'FORMAT'));
  }
  if (maxCell === undefined || /^(?:[-–—?]|n\/?a)?$/i.test(maxCell.text)) return { host, ...count };
  const maxPlayers = readCount(valueIn(page, maxCell.element) ?? '');
  const isContradicted = count.maxPlayers !== 0 && count.maxPlayers !== maxPlayers;
  if (maxPlayers === undefined || isContradicted || maxPlayers < count.players) {
    return refuse(`a match has ${count.players} players and "${maxCell.text}" as their maximum`);
  }
  return { host, players: count.players, maxPlayers };
}

/** Longer texts are ignored. */
const MAX_TEXT_LENGTH = 1000;
/** `Tern Works | Developer: Wren` is more than a publisher. */
const FURTHER_LABEL = /[|,;·•/]\s[^|,;·•/:：]*\p{L}\s*[:：]/u;

/**
 * Null when no label is found. A field with two values is unknown, and so is what stands below a second heading,
 * or below the next one after the matches: it may be that of another game.
 */
function readMetadata(
  page: Page,
  matches: Element | undefined,
  { metadata = {} }: TitleDescription,
): PageMetadata | null {
  const { text } = page;
  const within = matches === undefined ? undefined : text.spanOf(matches);
  const headings = page
    .$('h1, h2, h3, h4, h5, h6')
    .toArray()
    .filter((heading) => /\p{L}{2}/u.test(text.textOf(heading)))
    .map((heading) => text.spanOf(heading)?.start ?? 0);
  const isAbout = (index: number) => {
    const isBelow = within !== undefined && index >= within.start;
    const end = isBelow ? headings.find((start) => start >= within.end) : headings[1];
    return index < (end ?? text.runs.length) && (!isBelow || index >= within.end);
  };
  // A label beside a label names columns.
  const labels = Object.values(metadata).flatMap(listOf);
  const isText = (value = '\uFFFD') =>
    value.length <= MAX_TEXT_LENGTH &&
    !value.includes('\uFFFD') &&
    !isOneOf(value, labels) &&
    !FURTHER_LABEL.test(value);
  const [title, publisher, releaseDate] = (['title', 'publisher', 'releaseDate'] as const).map((field) => {
    const found = findLabelled(page, metadata[field]).flatMap(({ value, isBefore, isWhole, index }) =>
      isWhole && !isBefore && isAbout(index) && isText(value) ? [value] : [],
    );
    const [only = '', ...others] = new Set(found);
    return found.length === 0 ? undefined : others.length > 0 || isCut(only) ? '' : only;
  });
  if ([title, publisher, releaseDate].every((value) => value === undefined)) return null;
  return { title: title ?? '', publisher: publisher ?? '', releaseDate: readReleaseDate(releaseDate ?? '') };
}

const MAX_BOARDS = 10_000;

function menuOf({ $ }: Page, { boards }: TitleDescription): Element | undefined {
  return typeof boards === 'string' ? $(boards).toArray().find(isElement) : undefined;
}

/** Null when the menu is unreadable or empty: a page without boards looks the same as one whose menu a script fills. */
function readBoardMenu({ $ }: Page, menu: Element): ListedBoard[] | null {
  if (!isClosed(menu)) return null;
  const boards = new Map<number, ListedBoard>();
  // Without `:scope`, the time is quadratic in the number of children.
  for (const option of $(menu).find(':scope option').toArray()) {
    const value = option.attribs['value']?.trim() ?? '';
    if (value === '' || option.attribs['hidden'] !== undefined) continue;
    const id = /^\d{1,10}$/.test(value) ? networkId.safeParse(Number(value)).data : undefined;
    if (id === undefined || boards.size >= MAX_BOARDS) return null;
    const name = $(option).text().replace(/\s+/g, ' ').trim();
    if (name.length <= BOARD_NAME_MAX && !boards.has(id)) boards.set(id, { id, name: isCut(name) ? '' : name });
  }
  return boards.size === 0 ? null : [...boards.values()];
}
