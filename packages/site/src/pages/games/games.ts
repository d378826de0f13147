import { oneOf, operations, RANKED_GAMES_MAX } from '@lobbystats/contracts';
import { z } from 'zod';
import { html, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes } from '../../page.ts';
import { pager } from '../../parts/pager.ts';
import { part } from '../../parts/part.ts';
import { rangeChoices, rangeTexts } from '../../parts/ranges.ts';
import { table, type Column } from '../../parts/table.ts';
import { change, formatCount, formatMean, gameLink, name, plural, time, type Titles } from '../../parts/text.ts';
import {
  askGames,
  defaultOrder,
  filterGames,
  gameListOperations,
  gameSorts,
  sortGames,
  type GameSort,
  type ListedGame,
  type SortOrder,
} from './listed-games.ts';

const { getNow, getOnlineUsers, getRanking, listGames } = operations;

const PAGE_SIZE = 200;
const DEFAULT_SORT = 'online';
const { period: periodField } = getRanking.query.shape;
const DEFAULT_PERIOD = periodField.parse(undefined);

const query = z.object({
  period: periodField,
  sort: oneOf(gameSorts).default(DEFAULT_SORT),
  order: oneOf(['asc', 'desc']).optional(),
  q: listGames.query.shape.q,
  offset: listGames.query.shape.offset,
});
type Query = z.output<typeof query>;

export const games = definePage({
  id: 'getGamesPage',
  path: links.games(),
  params: z.object({}),
  query,
  asks: [...gameListOperations, getNow],
  view: async ({ query: asked }, data) => {
    const { period, sort, order = defaultOrder(sort), q, offset } = asked;
    const [all, now] = await Promise.all([askGames(period, data), data.askPart(getNow)]);
    const found = all && sortGames(await filterGames(all, q, data), sort, order);
    return {
      title: 'Games',
      description: 'All tracked games: users online, lobbies, averages, peaks and hours played, live and over time.',
      path: pagePath(asked, {}),
      topics: ['online', 'backfill'],
      alternates: [
        { type: mediaTypes.json, href: getOnlineUsers.path, title: 'Games now as JSON' },
        {
          type: mediaTypes.csv,
          href: apiPath(getRanking.path, {}, { period, limit: RANKED_GAMES_MAX, format: 'csv' }),
          title: 'Ranking as CSV',
        },
      ],
      content: html`<div class="head">
          <h1>Games</h1>
          ${all && html`<p>${summary(all)}${now?.slot && html`, as of ${time(now.slot, 'exact')}`}</p>`}
        </div>
        ${filterForm(asked)}
        ${rangeChoices(periodField.unwrap().options, period, (other) => pagePath(asked, { period: other, offset: 0 }))}
        <p class="hint">
          Average and peak of users online, and hours played, in the last ${rangeTexts[period]}; change of the average
          to the period before.
        </p>
        ${part(found, (rows) => gameTable(rows.slice(offset, offset + PAGE_SIZE), asked, order, data.titles))}
        ${
          found &&
          pager({
            total: found.length,
            limit: PAGE_SIZE,
            offset,
            href: (to) => pagePath(asked, { offset: to }),
            label: 'games',
          })
        }`,
    };
  },
});

/** The page with other parameters. Defaults are left out; another order begins at the first page. */
function pagePath(asked: Query, changed: Partial<Query>): string {
  const { period, sort, order, q, offset } = { ...asked, ...changed };
  return links.games({
    period: period === DEFAULT_PERIOD ? undefined : period,
    sort: sort === DEFAULT_SORT ? undefined : sort,
    order: order === defaultOrder(sort) ? undefined : order,
    q,
    offset: offset === 0 ? undefined : offset,
  });
}

function summary(all: readonly ListedGame[]): string {
  const played = all.filter(({ online }) => online !== null && online > 0).length;
  return `${plural(all.length, 'game')}, ${formatCount(played)} with users online now`;
}

function filterForm({ period, sort, order, q }: Query): Html {
  const rest = { period: period === DEFAULT_PERIOD ? '' : period, sort: sort === DEFAULT_SORT ? '' : sort, order };
  return html`<form class="filters" role="search" aria-label="Games" action="${links.games()}">
    <label>
      Name, publisher or title ID
      <input name="q" type="search" value="${q}" maxlength="100" autocomplete="off" spellcheck="false" />
    </label>
    ${Object.entries(rest).map(
      ([field, value]) => value && html`<input type="hidden" name="${field}" value="${value}" />`,
    )}
    <button>Filter</button>
    ${q !== '' && html`<a href="${pagePath({ period, sort, order, q: '', offset: 0 }, {})}">All games</a>`}
  </form>`;
}

function gameTable(rows: readonly ListedGame[], asked: Query, order: SortOrder, titles: Titles): Html {
  const { period, sort, q } = asked;
  const over = rangeTexts[period];
  return table<ListedGame>({
    caption: `Games, with averages, peaks and hours of ${over}`,
    empty: q === '' ? 'No games yet' : 'No game has this in its name, publisher or title ID',
    ...{ id: 'game', rows, key: ({ titleId }) => titleId },
    sort: {
      by: sort,
      order: order === 'asc' ? 'ascending' : 'descending',
      href: (by) => pagePath(asked, { ...nextSort(by as GameSort, sort, order), offset: 0 }),
    },
    columns: columnsOf(titles),
  });
}

/** By another column in its default order, by the same one in the other order. */
function nextSort(by: GameSort, sort: GameSort, order: SortOrder): Pick<Query, 'sort' | 'order'> {
  if (by !== sort) return { sort: by, order: undefined };
  return { sort: by, order: order === 'asc' ? 'desc' : 'asc' };
}

const columnsOf = (titles: Titles): readonly (Column<ListedGame> & { readonly sortBy: GameSort })[] => [
  { heading: 'Game', sortBy: 'name', isHead: true, cell: (game) => gameLink(titles, game.titleId, game.name) },
  { heading: 'Online', sortBy: 'online', isNumber: true, cell: ({ online }) => formatCount(online) },
  { heading: 'Lobbies', sortBy: 'lobbies', isNumber: true, isMinor: true, cell: ({ lobbies }) => formatCount(lobbies) },
  {
    heading: 'In lobbies',
    sortBy: 'players',
    isNumber: true,
    isMinor: true,
    cell: ({ players }) => formatCount(players),
  },
  { heading: 'Average', sortBy: 'mean', isNumber: true, cell: ({ mean }) => formatMean(mean) },
  { heading: 'Peak', sortBy: 'peak', isNumber: true, isMinor: true, cell: ({ peak }) => formatCount(peak) },
  { heading: 'Change', sortBy: 'change', isNumber: true, cell: (game) => change(game.change) },
  { heading: 'Hours', sortBy: 'hours', isNumber: true, isMinor: true, cell: ({ hours }) => formatMean(hours) },
  { heading: 'Publisher', sortBy: 'publisher', isMinor: true, cell: ({ publisher }) => name(publisher) },
];
