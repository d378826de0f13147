import type { CheerioAPI } from 'cheerio';
import { BOARD_NAME_MAX, networkId } from '@lobbystats/contracts';
import { UnparseablePageError } from '../network/page-failures.ts';
import type { GamePageReading } from '../network/network.ts';
import { readMatches } from './match-table.parse.ts';
import { readPageMetadata } from './page-metadata.parse.ts';
import { loadWholePage, type Page } from './page.parse.ts';
import type { ListedBoard } from '../leaderboards/board.ts';
import { isClosed, isElement, walk, type Element } from './document.parse.ts';

/**
 * Reads a game page: open matches, metadata and leaderboards.
 *
 * @throws UnparseablePageError when it is truncated, not a game page, or has an unreadable match: skipping one would
 *   make the number of matches wrong
 */
export function readGamePage(html: string): GamePageReading {
  const page = loadWholePage(html);
  const matches = readMatches(page);
  const metadata = readPageMetadata(page);
  if (matches === null && metadata === null && !hasBoardMenu(page)) {
    throw new UnparseablePageError('it is not the page of a game');
  }
  return { matches, metadata, boards: readBoardMenu(page) };
}

const MAX_BOARDS = 10_000;

/** Only the first of these menus in a page counts. */
const MENUS = ['select#leaderboard-select', 'select[id*="leaderboard" i]', 'select[name*="leaderboard" i]'];

function hasBoardMenu({ $ }: Page): boolean {
  return menuOf($) !== undefined;
}

/**
 * Null when the menu is absent, unreadable or empty: a page without boards looks the same as one whose menu has moved.
 */
function readBoardMenu({ $, text }: Page): ListedBoard[] | null {
  const menu = menuOf($);
  if (menu === undefined || !isClosed(menu)) return null;
  const boards = new Map<number, ListedBoard>();
  for (const option of optionsOf(menu)) {
    const value = option.attribs['value']?.trim() ?? '';
    if (value === '' || !text.isVisible(option)) continue;
    const id = /^\d{1,10}$/.test(value) ? networkId.safeParse(Number(value)).data : undefined;
    if (id === undefined || boards.size >= MAX_BOARDS) return null;
    const name = text.textOf(option);
    if (name.length <= BOARD_NAME_MAX && !boards.has(id)) boards.set(id, { id, name });
  }
  return boards.size === 0 ? null : [...boards.values()];
}

function menuOf($: CheerioAPI): Element | undefined {
  for (const selector of MENUS) {
    const menu = $(selector).toArray().find(isElement);
    if (menu !== undefined) return menu;
  }
  return undefined;
}

function optionsOf(menu: Element): Element[] {
  const options: Element[] = [];
  walk(menu, {
    enter(node) {
      if (isElement(node) && node.name === 'option') options.push(node);
      return true;
    },
  });
  return options;
}
