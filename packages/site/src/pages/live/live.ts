import { emptyToUndefined, LOBBIES_MAX, operations, OFFSET_MAX, type OperationResponse } from '@lobbystats/contracts';
import { z } from 'zod';
import { html, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes, type PageData } from '../../page.ts';
import { choices } from '../../parts/choices.ts';
import { lobbyTable } from '../../parts/lobby-table.ts';
import { list } from '../../parts/list.ts';
import { meantGame, unknownGame } from '../../parts/meant-game.ts';
import { nameInput } from '../../parts/name-input.ts';
import { pager } from '../../parts/pager.ts';
import { part, section } from '../../parts/part.ts';
import { table } from '../../parts/table.ts';
import { gameNameOf, formatCount, gameLink, playerLink, plural, time, type Titles } from '../../parts/text.ts';

const { getLatestActivity, getOnlineUsers, listLobbies, listUsersOnline } = operations;

const PAGE_SIZE = 200;
const USERS_PAGE_SIZE = 100;
/** The list of games has pages with the rest. */
const GAMES_MAX = 100;
const { sort, offset } = listLobbies.query.shape;
const DEFAULT_SORT = sort.parse(undefined);

const query = z.object({
  game: z.string({ error: 'must be given once' }).transform(emptyToUndefined).optional(),
  sort,
  offset,
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
      titleId === null
        ? null
        : data.askPart(listLobbies, {}, { titleId, sort: asked.sort, limit: PAGE_SIZE, offset: asked.offset }),
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
        ${section(
          'lobbies',
          'Open lobbies',
          lobbies === null
            ? unknownGame(asked.game ?? '', meant?.candidates ?? [], (game) => pathOf(asked, { game }))
            : part(lobbies, (page) => lobbyList(page, asked, data)),
          lobbies ? counted(lobbies.total) : undefined,
        )}
        ${section(
          'games',
          'Online by game',
          part(games, (all) => gameTable(all, data.titles)),
          html`<a href="${links.games()}">All games</a>`,
        )}
        ${
          users !== null &&
          section(
            'online',
            'Who is online',
            part(users, (page) => userList(page, asked, data)),
            users && users.total > 0 ? plural(users.total, 'user') : undefined,
          )
        }`,
    };
  },
});

function counted(total: number): string {
  return total === 0 ? '' : plural(total, 'lobby', 'lobbies');
}

/** The page with other parameters; defaults are left out. */
function pathOf(asked: Query, changed: Partial<Query>): string {
  const { game, sort: by, offset: from, usersOffset } = { ...asked, ...changed };
  return links.live({
    ...{ game, sort: by === DEFAULT_SORT ? undefined : by },
    ...{ offset: from || undefined, usersOffset: usersOffset || undefined },
  });
}

function filterForm(asked: Query, titleId: string | null | undefined, titles: PageData['titles']): Html {
  return html`<form class="filters" action="${links.live()}" aria-label="Filter by game">
      <label
        >Game ${nameInput({ id: 'game', name: 'game', type: 'game', value: shownGame(asked, titleId, titles) })}</label
      >
      ${asked.sort !== DEFAULT_SORT && html`<input type="hidden" name="sort" value="${asked.sort}" />`}
      <button>Show</button>
      ${asked.game !== undefined && html`<a href="${pathOf(asked, { game: undefined, offset: 0, usersOffset: 0 })}">All games</a>`}
    </form>
    ${choices(
      'Order',
      sort.unwrap().options.map((by) => ({
        text: by === 'players' ? 'Most players first' : 'Newest first',
        href: pathOf(asked, { sort: by, offset: 0 }),
        isCurrent: by === asked.sort,
      })),
    )}`;
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

function lobbyList({ lobbies, total }: LobbyPage, asked: Query, { titles }: PageData): Html {
  return html`${lobbyTable({ lobbies, titles })}
  ${pager({
    total,
    limit: PAGE_SIZE,
    offset: asked.offset,
    offsetMax: OFFSET_MAX,
    href: (to) => pathOf(asked, { offset: to }),
    label: 'open lobbies',
  })}`;
}

type UserPage = OperationResponse<typeof listUsersOnline>;
type User = UserPage['users'][number];

function userList({ users, total }: UserPage, asked: Query, { titles }: PageData): Html {
  const gameOf = ({ titleId, game }: User) =>
    titleId === null && game === null ? 'online' : gameLink(titles, titleId, game ?? '');
  return html`${list<User>({
    ...{ id: 'user', rows: users, key: ({ username }) => username, className: 'list people' },
    empty: 'No user is online',
    item: (user) => html`${playerLink(user.username)} <span class="hint">${gameOf(user)}</span>`,
  })}
  ${pager({
    total,
    limit: USERS_PAGE_SIZE,
    offset: asked.usersOffset,
    offsetMax: OFFSET_MAX,
    href: (to) => `${pathOf(asked, { usersOffset: to })}#online`,
    label: 'users online',
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
