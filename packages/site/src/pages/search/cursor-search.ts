import { html, type Html } from '../../html.ts';
import type { Alternate, PageData } from '../../page.ts';
import { part } from '../../parts/part.ts';
import { FIRST_CURSOR } from './cursor-pager.ts';
import { titleFilterOf } from './game-field.ts';
import { outcomeOf, type InputFault } from './input-fault.ts';
import type { SearchQuery, SearchView } from './search-query.ts';

const ROWS = 50;

export interface CursorSearch<Found> {
  /** False: the reader has given nothing to search for yet. */
  readonly isAsked: boolean;
  /** Asks for a page of rows. Resolves to undefined while the upstream is unavailable. */
  readonly ask: (page: { readonly limit: number; readonly cursor: string }) => Promise<Found | undefined>;
  readonly form: (fault: InputFault | undefined) => Html;
  readonly results: (response: Found) => Html;
  readonly alternate: Alternate;
}

/** The filters that searches with cursors share. */
export function cursorFilters({ tolerance = '', game = '' }: SearchQuery, data: PageData) {
  return { tolerance: tolerance === '' ? undefined : tolerance, titleId: titleFilterOf(game, data) };
}

/** A search with pages by cursor: its form, with the objection of the API, and its results. */
export async function cursorSearch<Found>(
  { cursor = FIRST_CURSOR }: SearchQuery,
  { isAsked, ask, form, results, alternate }: CursorSearch<Found>,
): Promise<SearchView> {
  const { response, fault } = isAsked
    ? await outcomeOf(ask({ limit: ROWS, cursor }), (parameter) => (parameter === '' ? 'game' : parameter))
    : {};
  const shown = fault === undefined && isAsked ? part(response, results) : '';
  return { content: html`${form(fault)}${shown}`, ...(response !== undefined && { alternates: [alternate] }) };
}
