import { oneOf, operations, RANKED_GAMES_MAX } from '@lobbystats/contracts';
import { z } from 'zod';
import { html, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes } from '../../page.ts';
import { choices } from '../../parts/choices.ts';
import { gamePicture, trendOf, trendText } from '../../parts/game-card.ts';
import { lastDays, lastDaysOperations } from '../../parts/last-day.ts';
import { LISTED, moreLink } from '../../parts/more.ts';
import { pager } from '../../parts/pager.ts';
import { part } from '../../parts/part.ts';
import { rangeChoices, rangeTexts } from '../../parts/ranges.ts';
import { table, type Column } from '../../parts/table.ts';
import { sparkline } from '../../parts/sparkline.ts';
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

/** Rows of a page that its reader has asked to be long. */
const LONG = 200;
const DEFAULT_SORT = 'online';
const { period: periodField } = getRanking.query.shape;
const DEFAULT_PERIOD = periodField.parse(undefined);

const query = z.object({
  period: periodField,
  sort: oneOf(gameSorts).default(DEFAULT_SORT),
  order: oneOf(['asc', 'desc']).optional(),
  columns: oneOf(['few', 'all']).default('few'),
  rows: oneOf(['few', 'all']).default('few'),
  q: listGames.query.shape.q,
  offset: listGames.query.shape.offset,
});
type Query = z.output<typeof query>;

export const games = definePage({
  id: 'getGamesPage',
  path: links.games(),
  params: z.object({}),
  query,
  asks: [...gameListOperations, ...lastDaysOperations, getNow],
  view: async ({ query: asked }, data) => {
    const { period, sort, order = defaultOrder(sort), q, offset } = asked;
    const [all, now] = await Promise.all([askGames(period, data), data.askPart(getNow)]);
    const found = all && sortGames(await filterGames(all, q, data), sort, order);
    const limit = asked.rows === 'all' ? LONG : LISTED;
    const rows = found?.slice(offset, offset + limit);
    // Each picture is a part of a request: a long page has none.
    const pictured = asked.rows === 'all' ? [] : (rows ?? []);
    const histories = await lastDays(
      pictured.map(({ titleId }) => titleId),
      data,
    );
    return {
      title: 'Games',
      description: 'All tracked games: players online, lobbies, averages, peaks and hours played, live and over time.',
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
        <div class="controls">
          ${rangeChoices(periodField.unwrap().options, period, (other) => pagePath(asked, { period: other, offset: 0 }))}
          ${choices('Columns', [
            { text: 'Few columns', href: pagePath(asked, { columns: 'few' }), isCurrent: !hasAllColumns(asked) },
            { text: 'All columns', href: pagePath(asked, { columns: 'all' }), isCurrent: hasAllColumns(asked) },
          ])}
        </div>
        <p class="hint">
          More or fewer players: the average of the last ${rangeTexts[period]} to that of the ${rangeTexts[period]}
          before.
        </p>
        ${part(rows, (shown) => gameTable(shown, histories, asked, order, data.titles))}
        ${
          found &&
          html`${pager({
            total: found.length,
            limit,
            offset,
            href: (to) => pagePath(asked, { offset: to }),
            label: 'games',
          })}
          ${moreLink(
            found.length,
            limit,
            pagePath(asked, { rows: 'all', offset: 0 }),
            found.length > LONG ? `${LONG} games on a page` : `All ${plural(found.length, 'game')} on one page`,
          )}`
        }`,
    };
  },
});

/** A page sorted by a column shows it. */
function hasAllColumns({ columns, sort }: Query): boolean {
  return columns === 'all' || !fewSorts.has(sort);
}

const fewSorts: ReadonlySet<GameSort> = new Set<GameSort>(['name', 'online', 'lobbies']);

/** The page with other parameters. Defaults are left out; another order begins at the first page. */
function pagePath(asked: Query, changed: Partial<Query>): string {
  const { period, sort, order, columns, rows, q, offset } = { ...asked, ...changed };
  const isOther = <Value>(value: Value, usual: Value) => (value === usual ? undefined : value);
  return links.games({
    period: isOther(period, DEFAULT_PERIOD),
    sort: isOther(sort, DEFAULT_SORT),
    order: isOther(order, defaultOrder(sort)),
    columns: isOther(columns, 'few'),
    rows: isOther(rows, 'few'),
    q,
    offset: isOther(offset, 0),
  });
}

function summary(all: readonly ListedGame[]): string {
  const played = all.filter(({ online }) => online !== null && online > 0).length;
  return `${plural(all.length, 'game')}, ${formatCount(played)} with players online now`;
}

function filterForm(asked: Query): Html {
  const { q } = asked;
  const rest = new URLSearchParams(pagePath(asked, { q: '', offset: 0 }).split('?')[1]);
  return html`<form class="filters" role="search" aria-label="Games" action="${links.games()}">
    <label>
      Name or publisher
      <input name="q" type="search" value="${q}" maxlength="100" autocomplete="off" spellcheck="false" />
    </label>
    ${[...rest].map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}" />`)}
    <button>Filter</button>
    ${q !== '' && html`<a href="${pagePath(asked, { q: '', offset: 0 })}">All games</a>`}
  </form>`;
}

type Histories = Awaited<ReturnType<typeof lastDays>>;

function gameTable(
  rows: readonly ListedGame[],
  histories: Histories,
  asked: Query,
  order: SortOrder,
  titles: Titles,
): Html {
  const { period, sort, q } = asked;
  const few = fewColumns(titles, histories);
  const isWide = hasAllColumns(asked);
  return table<ListedGame>({
    caption: `Games, with averages, peaks and hours of ${rangeTexts[period]}`,
    empty: q === '' ? 'No games yet' : 'No game has this in its name or publisher',
    ...{ id: 'game', rows, key: ({ titleId }) => titleId },
    sort: {
      by: sort,
      order: order === 'asc' ? 'ascending' : 'descending',
      href: (by) => pagePath(asked, { ...nextSort(by as GameSort, sort, order), offset: 0 }),
    },
    columns: isWide ? [...few, ...MORE_COLUMNS] : few,
    isStacked: isWide,
  });
}

/** By another column in its default order, by the same one in the other order. */
function nextSort(by: GameSort, sort: GameSort, order: SortOrder): Pick<Query, 'sort' | 'order'> {
  if (by !== sort) return { sort: by, order: undefined };
  return { sort: by, order: order === 'asc' ? 'desc' : 'asc' };
}

type GameColumn = Column<ListedGame> & { readonly sortBy?: GameSort };

const fewColumns = (titles: Titles, histories: Histories): readonly GameColumn[] => [
  {
    ...{ heading: 'Game', sortBy: 'name', isHead: true },
    cell: ({ titleId, name: text, publisher }) =>
      html`<span class="pictured"
        >${gamePicture(titleId, 36)}<span
          >${gameLink(titles, titleId, text, false)} <small class="hint">${name(publisher)}</small></span
        ></span
      >`,
  },
  { heading: 'Online', sortBy: 'online', isNumber: true, cell: ({ online }) => formatCount(online) },
  { heading: 'Lobbies', sortBy: 'lobbies', isNumber: true, isMinor: true, cell: ({ lobbies }) => formatCount(lobbies) },
  {
    heading: 'Last 24 hours',
    cell: (game) =>
      html`${histories.has(game.titleId) && sparkline(histories.get(game.titleId))}
        <small class="hint">${trendText(trendOf(game))}</small>`,
  },
];

const MORE_COLUMNS: readonly GameColumn[] = [
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
  { heading: 'Hours played', sortBy: 'hours', isNumber: true, isMinor: true, cell: ({ hours }) => formatMean(hours) },
];
