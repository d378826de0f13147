import {
  emptyToUndefined,
  integer,
  LOBBIES_MAX,
  OFFSET_MAX,
  oneOf,
  operations,
  type OperationResponse,
} from '@lobbystats/contracts';
import { z } from 'zod';
import { html, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes, type PageData } from '../../page.ts';
import { choices } from '../../parts/choices.ts';
import { hasRoom, HOW_TO_JOIN } from '../../parts/lobby-table.ts';
import { list } from '../../parts/list.ts';
import { meantGame, unknownGame } from '../../parts/meant-game.ts';
import { nameInput } from '../../parts/name-input.ts';
import { pager } from '../../parts/pager.ts';
import { empty, part, section } from '../../parts/part.ts';
import { table } from '../../parts/table.ts';
import { gameNameOf, formatCount, gameLink, playerLink, plural, time, type Titles } from '../../parts/text.ts';
import { lobbyGroups } from './lobby-groups.ts';

const { getLatestActivity, getOnlineUsers, listLobbies, listUsersOnline } = operations;

const ROWS = 20;
const MORE_ROWS = 60;
const USERS_PAGE_SIZE = 30;
/** The list of games has pages with the rest. */
const GAMES_MAX = 15;
const { sort, offset } = listLobbies.query.shape;
const DEFAULT_SORT = sort.parse(undefined);

const query = z.object({
  game: z.string({ error: 'must be given once' }).transform(emptyToUndefined).optional(),
  /** Lobbies with free seats alone. */
  room: oneOf(['yes']).optional(),
  sort,
  /** How many lobbies are shown. */
  rows: integer({ min: 1, max: LOBBIES_MAX }).default(ROWS),
  usersOffset: offset,
});
type Query = z.output<typeof query>;
type Game = OperationResponse<typeof getOnlineUsers>[string];

/** Open lobbies of all games, how many users are online in each, and who is online. */
export const live = definePage({
  id: 'getLivePage',
  path: links.live(),
  params: z.object({}),
  query,
  asks: [getLatestActivity, getOnlineUsers, listLobbies, listUsersOnline],
  view: async ({ query: asked }, data) => {
    const meant = asked.game === undefined ? undefined : meantGame(asked.game, data.titles);
    const titleId = meant === undefined ? undefined : (meant.titleId ?? null);
    const [activity, lobbies, users] = await Promise.all([
      data.askPart(getOnlineUsers),
      titleId === null ? null : data.askPart(listLobbies, {}, { titleId, sort: asked.sort, limit: LOBBIES_MAX }),
      titleId === null
        ? null
        : data.askPart(listUsersOnline, {}, { titleId, limit: USERS_PAGE_SIZE, offset: asked.usersOffset }),
    ]);
    const games = activity && Object.values(activity).filter(({ online, activeLobbies }) => online + activeLobbies > 0);
    return {
      title: 'Live: open lobbies and who plays what',
      description:
        'All lobbies that are open now, with host, players and age, the users online in each game, and who is online.',
      path: pathOf(asked, {}),
      topics: ['online', 'backfill'],
      alternates: [
        {
          type: mediaTypes.json,
          href: apiPath(listLobbies.path, {}, { titleId: titleId ?? undefined }),
          title: 'Open lobbies as JSON',
        },
        {
          type: mediaTypes.csv,
          href: apiPath(listLobbies.path, {}, { titleId: titleId ?? undefined, limit: LOBBIES_MAX, format: 'csv' }),
          title: 'Open lobbies as CSV',
        },
        { type: mediaTypes.json, href: getOnlineUsers.path, title: 'Games now as JSON' },
        {
          type: mediaTypes.json,
          href: apiPath(listUsersOnline.path, {}, { titleId: titleId ?? undefined }),
          title: 'Users online as JSON',
        },
      ],
      content: html`<div class="head">
          <h1>Live</h1>
          ${lobbies?.slot && html`<p>as of ${time(lobbies.slot, 'exact')}</p>`}
        </div>
        ${filterForm(asked, titleId, data.titles)}
        <div
          data-island="friends"
          data-friends="live"
          data-limit="${LOBBIES_MAX}"
          ${titleId && html`data-title="${titleId}"`}
        ></div>
        <div class="columns">
          ${section(
            'lobbies',
            'Open lobbies',
            lobbies === null
              ? unknownGame(asked.game ?? '', meant?.candidates ?? [], (game) => pathOf(asked, { game }))
              : part(lobbies, (page) => lobbyList(page, asked, data)),
            lobbies && lobbies.total > 0 ? plural(lobbies.total, 'lobby', 'lobbies') : undefined,
          )}
          ${
            users !== null &&
            section(
              'online',
              'Who is online',
              part(users, (page) => userList(page, asked, data)),
              users && users.total > 0 ? plural(users.total, 'player') : undefined,
            )
          }
        </div>
        ${section(
          'games',
          'Online by game',
          part(games, (all) => gameTable(all, data.titles)),
          html`<a href="${links.games()}">All games</a>`,
        )}`,
    };
  },
});

/** The page with other parameters; defaults are left out. */
function pathOf(asked: Query, changed: Partial<Query>): string {
  const { game, room, sort: by, rows, usersOffset } = { ...asked, ...changed };
  return links.live({
    ...{ game, room, sort: by === DEFAULT_SORT ? undefined : by },
    ...{ rows: rows === ROWS ? undefined : rows, usersOffset: usersOffset || undefined },
  });
}

function filterForm(asked: Query, titleId: string | null | undefined, titles: PageData['titles']): Html {
  return html`<form class="filters" action="${links.live()}" aria-label="Filter by game">
      <label
        >Game ${nameInput({ id: 'game', name: 'game', type: 'game', value: shownGame(asked, titleId, titles) })}</label
      >
      ${asked.sort !== DEFAULT_SORT && html`<input type="hidden" name="sort" value="${asked.sort}" />`}
      ${asked.room && html`<input type="hidden" name="room" value="${asked.room}" />`}
      <button>Show</button>
      ${asked.game !== undefined && html`<a href="${pathOf(asked, { game: undefined, rows: ROWS, usersOffset: 0 })}">All games</a>`}
    </form>
    <div class="in-row">
      ${choices('Lobbies', [
        { text: 'All', href: pathOf(asked, { room: undefined, rows: ROWS }), isCurrent: asked.room === undefined },
        { text: 'Has room', href: pathOf(asked, { room: 'yes', rows: ROWS }), isCurrent: asked.room === 'yes' },
      ])}
      ${choices(
        'Order',
        sort.unwrap().options.map((by) => ({
          text: by === 'players' ? 'Most players first' : 'Newest first',
          href: pathOf(asked, { sort: by, rows: ROWS }),
          isCurrent: by === asked.sort,
        })),
      )}
    </div>`;
}

/** The name of the game, if it leads to this game again. */
function shownGame(
  { game }: Query,
  titleId: string | null | undefined,
  titles: PageData['titles'],
): string | undefined {
  if (titleId === null || titleId === undefined) return game;
  const gameName = gameNameOf(titles, titleId);
  return titles.resolveLink(gameName) === titleId ? gameName : titleId;
}

type LobbyPage = OperationResponse<typeof listLobbies>;

function lobbyList({ lobbies }: LobbyPage, asked: Query, { titles }: PageData): Html {
  const found = asked.room === undefined ? lobbies : lobbies.filter(hasRoom);
  if (found.length === 0) return empty(lobbies.length === 0 ? 'No lobby is open' : 'No lobby has room at the moment');
  return html`<p class="hint">${HOW_TO_JOIN}</p>
    ${lobbyGroups({
      ...{ lobbies: found, rows: asked.rows, titles },
      gameHref: (game) => pathOf(asked, { game, rows: LOBBIES_MAX }),
      moreHref: `${pathOf(asked, { rows: Math.min(LOBBIES_MAX, asked.rows + MORE_ROWS) })}#lobbies`,
    })}`;
}

type UserPage = OperationResponse<typeof listUsersOnline>;
type User = UserPage['users'][number];

function userList({ users, total }: UserPage, asked: Query, { titles }: PageData): Html {
  const gameOf = ({ titleId, game }: User) =>
    titleId === null && game === null ? 'online' : gameLink(titles, titleId, game ?? '');
  return html`${list<User>({
    ...{ id: 'user', rows: users, key: ({ username }) => username, className: 'list people' },
    empty: 'Nobody is known to be online',
    item: (user) => html`${playerLink(user.username)} <span class="hint">${gameOf(user)}</span>`,
  })}
  ${pager({
    total,
    limit: USERS_PAGE_SIZE,
    offset: asked.usersOffset,
    offsetMax: OFFSET_MAX,
    href: (to) => `${pathOf(asked, { usersOffset: to })}#online`,
    label: 'players online',
  })}`;
}

function gameTable(games: readonly Game[], titles: Titles): Html {
  return table<Game>({
    ...{ id: 'game', key: ({ titleId }) => titleId },
    rows: games.toSorted((a, b) => b.online - a.online || b.activeLobbies - a.activeLobbies).slice(0, GAMES_MAX),
    caption: 'Users online and lobbies of the busiest games',
    empty: 'Nobody is in a game at the moment',
    columns: [
      { heading: 'Game', isHead: true, cell: ({ titleId, name }) => gameLink(titles, titleId, name) },
      { heading: 'Online', isNumber: true, cell: ({ online }) => formatCount(online) },
      {
        heading: 'Lobbies',
        isNumber: true,
        cell: ({ titleId, activeLobbies }) =>
          activeLobbies === 0
            ? '0'
            : html`<a href="${links.live({ game: titleId })}">${formatCount(activeLobbies)}</a>`,
      },
      {
        heading: 'In lobbies',
        isNumber: true,
        cell: ({ activeLobbyPlayers }) => formatCount(activeLobbyPlayers),
      },
    ],
  });
}
