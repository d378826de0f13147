import { html, type Html } from '../html.ts';
import { formatCount } from './text.ts';

export interface Pager {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  /** The page that begins at an offset. */
  readonly href: (offset: number) => string;
  /** Names the list for screen readers. */
  readonly label: string;
  /** The largest offset that the operation admits. Default: no limit. */
  readonly offsetMax?: number;
}

/** Links to the first, previous, next and last page; nothing if there is one page. */
export function pager({ total, limit, offset, href, label, offsetMax = Infinity }: Pager): Html | '' {
  if (total <= limit && offset === 0) return '';
  const lastOffset = Math.max(0, Math.floor((total - 1) / limit) * limit);
  const last = Math.min(lastOffset, Math.floor(offsetMax / limit) * limit);
  const next = offset + limit;
  const item = (isLink: boolean, to: number, text: string, rel: string) =>
    html`<li>
      ${isLink ? html`<a href="${href(to)}" rel="${rel}">${text}</a>` : html`<span aria-hidden="true">${text}</span>`}
    </li>`;
  return html`<nav class="pager" aria-label="Pages of ${label}">
    <p>${formatCount(Math.min(offset + 1, total))}–${formatCount(Math.min(next, total))} of ${formatCount(total)}</p>
    <ul>
      ${item(offset > 0, 0, 'First', 'first')}
      ${item(offset > 0, Math.max(0, Math.min(offset - limit, last)), 'Previous', 'prev')}
      ${item(next < total && next <= offsetMax, next, 'Next', 'next')} ${item(offset < last, last, 'Last', 'last')}
    </ul>
  </nav>`;
}
