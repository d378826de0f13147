import { BOARD_ENTRIES_MAX, type ObservedEntry } from '@lobbystats/contracts';
import type { BoardContent, BoardKey } from './board.ts';
import type { PageValidators } from './board-memory.ts';
import type { BoardPageAnswer, BoardSite } from './board-site.ts';
import { PageFailure } from './page-failures.ts';
import type { BoardPageReading } from './readings.ts';

export type BoardReading =
  { kind: 'read'; content: BoardContent; validators: PageValidators[] } | { kind: 'unchanged' } | { kind: 'gone' };

interface ReadPage {
  page: BoardPageReading;
  validators: PageValidators;
}

/**
 * Reads all pages of a board. Accepts it only if ranks continue across pages and all pages but the last are unchanged
 * when fetched again: then all of it was there at one instant, and nobody who moved up is missing.
 *
 * @param known of all its pages, as they were once: if they still are it is unchanged, whatever is on them
 * @throws PageFailure `torn` when its pages don't fit together, `oversized` when it is longer than boards may be, or
 * whatever a page could not be had for
 */
export async function readBoard(
  site: BoardSite,
  board: BoardKey,
  deadlineMs: number,
  known: readonly PageValidators[],
): Promise<BoardReading> {
  const ask = (page: number, validators?: PageValidators) => site.boardPage(board, page, deadlineMs, validators);
  let first = await ask(1, known[0]);
  if (first.kind === 'unchanged') {
    if (await areUnchanged(known.slice(1), (index, validators) => ask(index + 2, validators))) return first;
    first = await ask(1);
  }
  if (first.kind === 'absent') return { kind: 'gone' };
  const pages = [expectRead(first)];
  for (let last = pages[0]; last?.page.hasNext === true; last = pages.at(-1)) {
    pages.push(expectRead(await ask(pages.length + 1)));
    expectBounded(pages);
  }
  const content = joined(pages.map(({ page }) => page));
  for (const [index, read] of [...pages.entries()].toReversed().slice(1)) {
    const again = await ask(index + 1, isUsable(read.validators) ? read.validators : undefined);
    if (!isSame(again, read)) throw new PageFailure('torn', 'A page has changed while others were read');
  }
  return { kind: 'read', content, validators: usable(pages.map(({ validators }) => validators)) };
}

async function areUnchanged(
  known: readonly PageValidators[],
  ask: (index: number, validators: PageValidators) => Promise<BoardPageAnswer>,
): Promise<boolean> {
  for (const [index, validators] of known.entries()) {
    if ((await ask(index, validators)).kind !== 'unchanged') return false;
  }
  return true;
}

function expectRead(answer: BoardPageAnswer): ReadPage {
  if (answer.kind === 'read') return answer;
  throw new PageFailure('torn', 'A page that the one before it leads to is not there');
}

function expectBounded(pages: readonly ReadPage[]): void {
  if (pages.at(-1)?.page.rows.length === 0) throw new PageFailure('torn', 'A page that should go on has no rows');
  const entries = pages.reduce((sum, { page }) => sum + page.rows.length, 0);
  if (entries > BOARD_ENTRIES_MAX) throw new PageFailure('oversized', `It has more than ${BOARD_ENTRIES_MAX} entries`);
}

function joined(pages: readonly BoardPageReading[]): BoardContent {
  const entries = pages.flatMap(({ rows }) => rows);
  const isTime = pages[0]?.isTime === true;
  if (pages.some((page) => page.isTime !== isTime)) throw new PageFailure('torn', 'Its pages are of two kinds');
  if (!ranksRunOn(entries)) throw new PageFailure('torn', 'Its ranks do not run on');
  return { isTime, entries };
}

function ranksRunOn(entries: readonly ObservedEntry[]): boolean {
  let previous = 0;
  return entries.every(({ rank }, index) => {
    const isNext = rank === previous || rank === previous + 1 || rank === index + 1;
    previous = rank;
    return isNext;
  });
}

function isSame(again: BoardPageAnswer, { page }: ReadPage): boolean {
  return again.kind === 'unchanged' || (again.kind === 'read' && JSON.stringify(again.page) === JSON.stringify(page));
}

function usable(validators: PageValidators[]): PageValidators[] {
  return validators.every(isUsable) ? validators : [];
}

function isUsable({ etag, lastModified }: PageValidators): boolean {
  return etag !== null || lastModified !== null;
}
