import type { CheerioAPI } from 'cheerio';
import { networkId } from '@lobbystats/contracts';
import type { ListedBoard } from '../../domain/board.ts';
import { isClosed, isElement, type Element } from './document.ts';
import type { Page } from './page.ts';
import { walk } from './walk.ts';

/** A menu that lists more is no menu. */
const MOST = 10_000;
/** Longer names are cut: they are labels, and nothing goes by them. */
const LONGEST_NAME = 200;

/** The menus in which a game's page may list its boards; the first is the one. */
const MENUS = ['select#leaderboard-select', 'select[id*="leaderboard" i]', 'select[name*="leaderboard" i]'];

/** Whether the page has a menu of boards. */
export function hasBoardMenu({ $ }: Page): boolean {
  return menuOf($) !== undefined;
}

/**
 * The boards that a whole game page lists in its menu, each once. Null where it isn't known which they are: the menu can't be
 * read, has none to choose from, or isn't there. Nobody knows a page of a game without boards from one whose menu has moved.
 */
export function readBoardMenu({ $, textOf }: Page): ListedBoard[] | null {
  const menu = menuOf($);
  if (menu === undefined || !isClosed(menu)) return null;
  const boards = new Map<number, ListedBoard>();
  for (const option of optionsOf(menu)) {
    const value = option.attribs['value']?.trim() ?? '';
    // "Choose a leaderboard".
    if (value === '') continue;
    const id = /^\d{1,10}$/.test(value) ? networkId.safeParse(Number(value)).data : undefined;
    if (id === undefined || boards.size >= MOST) return null;
    if (!boards.has(id)) boards.set(id, { id, name: cut(textOf(option)) });
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

/** Cheerio's own search below an element compares each of its children with all others. */
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

/** Never within a character. */
function cut(text: string): string {
  return text
    .slice(0, LONGEST_NAME)
    .toWellFormed()
    .replace(/\uFFFD$/u, '');
}
