import { oneOf, operations, plainText } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { z } from 'zod';
import { onlinePlot } from '../../plots/online-plot.ts';
import { html, textOf } from '../../html.ts';
import { links } from '../../links.ts';
import { definePage } from '../../page.ts';
import { part } from '../../parts/part.ts';
import { sparkline } from '../../parts/sparkline.ts';
import { gameNameOf, formatCount, name, plural, time } from '../../parts/text.ts';

const { getGame, getLatestActivity, getTitleOnlineHistory } = operations;

/** How many are online in a game, for frames of other sites. */
export const gameWidget = definePage({
  id: 'getGameWidget',
  path: '/embed/game/:game',
  params: getGame.params,
  query: z.object({ theme: oneOf(['light', 'dark']).optional() }),
  asks: [getGame, getLatestActivity, getTitleOnlineHistory],
  isWidget: true,
  view: async ({ params: { titleId }, query: { theme } }, data) => {
    if (data.titles.known(titleId) === undefined) throw new AppError('not-found', 'Unknown game');
    const gameName = gameNameOf(data.titles, titleId);
    const [activity, day] = await Promise.all([
      data.ask(getLatestActivity, {}, { titleId }),
      data.askPart(getTitleOnlineHistory, { titleId }, { hours: 24 }),
    ]);
    const now = activity.titles.find((one) => one.titleId === titleId);
    return {
      title: widgetTitle(gameName),
      description: '',
      path: links.widget(titleId, { theme }),
      theme,
      isPrivate: true,
      content: html`<h1 class="name">
          <a href="${links.game(titleId)}" target="_blank" rel="noopener">${name(gameName)}</a>
        </h1>
        <p><b class="value">${activity.slot === null ? '–' : formatCount(now?.online ?? 0)}</b> online</p>
        <p class="hint">
          ${plural(now?.activeLobbies ?? 0, 'open lobby', 'open lobbies')} ·
          ${plural(now?.activeLobbyPlayers ?? 0, 'player')} in lobbies
        </p>
        ${part(day, ({ history }) => sparkline(onlinePlot(history, data.now)))}
        <p class="hint">
          ${activity.slot !== null && html`${time(activity.slot, 'exact')} · `}<a
            href="${links.home}"
            target="_blank"
            rel="noopener"
            >Lobbystats</a
          >
        </p>`,
    };
  },
});

/** The size that shows a widget whole, in pixels. */
export const WIDGET_SIZE = { width: 320, height: 190 } as const;

/** The name of a game's widget, as a text without markup. */
export function widgetTitle(gameName: string): string {
  return plainText`${gameName}: users online`;
}

/** Markup for other sites. @param url absolute, of the widget */
export function widgetFrame(
  url: string,
  gameName: string,
  size: { width: number; height: number } = WIDGET_SIZE,
): string {
  const { width, height } = size;
  // prettier-ignore
  return textOf(html`<iframe src="${url}" title="${widgetTitle(gameName)}" width="${width}" height="${height}" loading="lazy"></iframe>`);
}
