import { html, type Html } from '../html.ts';
import { links } from '../links.ts';
import type { PlotData } from '../plots/plot-data.ts';
import { list } from './list.ts';
import { sparkline } from './sparkline.ts';
import { formatCount, name, plural } from './text.ts';

export interface GameCard {
  readonly titleId: string;
  readonly name: string;
  readonly online: number;
  readonly lobbies: number;
  /** Its last 24 hours. */
  readonly history: PlotData | undefined;
  /** Change of the average to the period before, as a share; null: unknown. */
  readonly trend: number | null;
}

/** Games as cards, each with its picture, who is in it now, and its last 24 hours. The whole card is a link. */
export function gameCards(games: readonly GameCard[], empty: string): Html {
  return list<GameCard>({
    ...{ id: 'game', rows: games, key: ({ titleId }) => titleId, empty, className: 'cards' },
    item: ({ titleId, name: text, online, lobbies, history, trend }) =>
      html`${gameBackdrop(titleId)}
        <h3><a href="${links.game(titleId)}">${gamePicture(titleId, 48)}${name(text)}</a></h3>
        <p><b class="value">${formatCount(online)}</b> online</p>
        ${sparkline(history)}
        <p class="hint">
          ${lobbies > 0 && html`<a href="${links.live({ game: titleId })}">${plural(lobbies, 'open lobby', 'open lobbies')}</a>`}
          ${trendText(trend)}
        </p>`,
  });
}

/** The colors of a game: its icon, blurred over the area of the element that it stands in. Decoration. */
export function gameBackdrop(titleId: string): Html {
  return html`<span class="backdrop"><img src="${links.icon(titleId)}" alt="" width="64" height="64" /></span>`;
}

/** The icon of a game beside its name. @param size in pixels */
export function gamePicture(titleId: string, size: number): Html {
  return html`<img class="icon" src="${links.icon(titleId)}" alt="" width="${size}" height="${size}" loading="lazy" />`;
}

/** The head of a page of a game: its icon, over its colors. @param beside at the end of the line, where there is room */
export function hero(titleId: string, content: Html, beside: Html | '' = ''): Html {
  return html`<div class="banner hero">
    ${gameBackdrop(titleId)}
    <img class="icon" src="${links.icon(titleId)}" alt="" width="96" height="96" />
    <div>${content}</div>
    ${beside}
  </div>`;
}

const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

/** `12% more players`, `8% fewer players`; nothing while it is unknown. @param share of the period before */
export function trendText(share: number | null): Html | '' {
  if (share === null) return '';
  const text = percents.format(Math.abs(share));
  if (text === percents.format(0)) return html`<span>as many players</span>`;
  return share > 0
    ? html`<span class="up">${text} more players</span>`
    : html`<span class="down">${text} fewer players</span>`;
}

/** The change of an average as a share of the one before; null if that is unknown or nobody. */
export function trendOf(
  ranked: { readonly previous: number | null; readonly change: number | null } | undefined,
): number | null {
  const { previous = null, change = null } = ranked ?? {};
  return previous === null || change === null || previous === 0 ? null : change / previous;
}
