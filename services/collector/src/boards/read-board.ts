import { BOARD_ENTRIES_MAX } from '@lobbystats/contracts';
import type { BoardKey, BoardContent } from '../network/board.ts';
import type { PageValidators } from '../network/page-cache.ts';
import type { BoardPageReading, BoardPageResponse, BoardSource } from '../network/network.ts';
import { PageFailure } from '../network/page-failures.ts';

export type BoardReading =
  { kind: 'read'; content: BoardContent; validators: PageValidators[] } | { kind: 'unchanged' } | { kind: 'gone' };

interface ReadPage {
  page: BoardPageReading;
  validators: PageValidators;
}

/**
 * Reads all pages of a board. Accepts it only if ranks continue across pages and all pages but the last are unchanged
 * when fetched again: all pages then existed at one instant, and no entry that moved up is missing.
 *
 * @param known validators of all pages from an earlier reading; the board is unchanged when all of them still match
 * @throws PageFailure `inconsistent` when its pages don't fit together, `oversized` when it has too many entries, or the failure
 * of a page
 */
export async function readBoard(
  site: BoardSource,
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
  for (let last = pages[0]; last !== undefined && last.page.hasNext !== false; last = pages.at(-1)) {
    const next = await ask(pages.length + 1);
    if (last.page.hasNext === 'perhaps' && isBeyondEnd(next)) break;
    pages.push(expectRead(next));
    expectBounded(pages);
  }
  const content = joinPages(pages.map(({ page }) => page));
  for (const [index, read] of [...pages.entries()].toReversed().slice(1)) {
    const again = await ask(index + 1, isUsable(read.validators) ? read.validators : undefined);
    if (!isSame(again, read)) throw new PageFailure('inconsistent', 'A page has changed while others were read');
  }
  // A last page that is full stays unchanged when another one follows.
  const isEndKnown = pages.at(-1)?.page.hasNext === false;
  return { kind: 'read', content, validators: isEndKnown ? usableOrNone(pages.map((read) => read.validators)) : [] };
}

function isBeyondEnd(response: BoardPageResponse): boolean {
  return response.kind === 'absent' || (response.kind === 'read' && response.page.rows.length === 0);
}

async function areUnchanged(
  known: readonly PageValidators[],
  ask: (index: number, validators: PageValidators) => Promise<BoardPageResponse>,
): Promise<boolean> {
  for (const [index, validators] of known.entries()) {
    if ((await ask(index, validators)).kind !== 'unchanged') return false;
  }
  return true;
}

function expectRead(response: BoardPageResponse): ReadPage {
  if (response.kind === 'read') return response;
  throw new PageFailure('inconsistent', 'A page that the previous one links to is absent');
}

function expectBounded(pages: readonly ReadPage[]): void {
  if (pages.at(-1)?.page.rows.length === 0)
    throw new PageFailure('inconsistent', 'A page that a previous one links to has no rows');
  const entries = pages.reduce((sum, { page }) => sum + page.rows.length, 0);
  if (entries > BOARD_ENTRIES_MAX) throw new PageFailure('oversized', `It has more than ${BOARD_ENTRIES_MAX} entries`);
}

function joinPages(pages: readonly BoardPageReading[]): BoardContent {
  const entries = pages.flatMap(({ rows }) => rows);
  const isTime = pages[0]?.isTime === true;
  if (pages.some((page) => page.isTime !== isTime))
    throw new PageFailure('inconsistent', 'Its pages mix times and scores');
  if (!ranksRunOn(pages)) throw new PageFailure('inconsistent', 'Its ranks are not consecutive');
  return { isTime, entries };
}

/**
 * Within a page, read at one instant, a missing rank is the network's: a banned player. From page to page ranks must go
 * on, or an entry may have moved between two requests.
 */
function ranksRunOn(pages: readonly BoardPageReading[]): boolean {
  let [previous, ties, count] = [0, 1, 0];
  for (const { rows } of pages) {
    for (const [index, { rank }] of rows.entries()) {
      const isNext = rank === previous || rank === previous + 1 || rank === previous + ties || rank === count + 1;
      const mayFollow = index > 0 ? rank >= previous : count === 0 || isNext;
      if (!mayFollow) return false;
      ties = rank === previous ? ties + 1 : 1;
      previous = rank;
      count += 1;
    }
  }
  return true;
}

function isSame(again: BoardPageResponse, { page }: ReadPage): boolean {
  return again.kind === 'unchanged' || (again.kind === 'read' && JSON.stringify(again.page) === JSON.stringify(page));
}

function usableOrNone(validators: PageValidators[]): PageValidators[] {
  return validators.every(isUsable) ? validators : [];
}

function isUsable({ etag, lastModified }: PageValidators): boolean {
  return etag !== null || lastModified !== null;
}
