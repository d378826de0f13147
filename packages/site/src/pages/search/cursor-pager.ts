import { html, type Html } from '../../html.ts';

/** Value of the parameter `cursor` for the first page. */
export const FIRST_CURSOR = 'start';

export interface CursorPager {
  /** Where the page begins; undefined: at the first row. */
  readonly cursor: string | undefined;
  /** Where the next page begins; null or undefined: there is none. */
  readonly nextCursor: string | null | undefined;
  /** The page that begins at a cursor; undefined: the first one. */
  readonly href: (cursor: string | undefined) => string;
  /** Names the list for screen readers. */
  readonly label: string;
}

/** Links to the first and the next page of a list that has no offsets; nothing if there is one page. */
export function cursorPager({ cursor = FIRST_CURSOR, nextCursor, href, label }: CursorPager): Html | '' {
  const isFirst = cursor === FIRST_CURSOR || cursor === '';
  const isLast = nextCursor === null || nextCursor === undefined;
  if (isFirst && isLast) return '';
  return html`<nav class="pager" aria-label="Pages of ${label}">
    <ul>
      <li>
        ${isFirst ? html`<span aria-hidden="true">First</span>` : html`<a href="${href(undefined)}" rel="first">First</a>`}
      </li>
      <li>
        ${isLast ? html`<span aria-hidden="true">Next</span>` : html`<a href="${href(nextCursor)}" rel="next">Next</a>`}
      </li>
    </ul>
  </nav>`;
}
