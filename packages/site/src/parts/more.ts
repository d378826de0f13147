import { html, type Html } from '../html.ts';

/** Rows that a list shows until its reader asks for more. */
export const LISTED = 20;

/** A link to all of a list, of which a part is shown; nothing if that is all. @param text such as `All 153 games` */
export function moreLink(total: number, shown: number, href: string, text: string): Html | '' {
  return total <= shown ? '' : html`<p class="more"><a class="button" href="${href}">${text}</a></p>`;
}
