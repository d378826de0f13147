import { html, type Html } from '../../html.ts';
import { lobbyTable, type Lobby } from '../../parts/lobby-table.ts';
import { formatCount, gameLink, plural, type Titles } from '../../parts/text.ts';

export interface LobbyGroups {
  /** In the order in which games and their lobbies are shown. */
  readonly lobbies: readonly Lobby[];
  /** No group begins after so many lobbies. */
  readonly rows: number;
  readonly titles: Titles;
  /** The page with the lobbies of one game. */
  readonly gameHref: (titleId: string) => string;
  /** The page with more lobbies. */
  readonly moreHref: string;
}

/** Lobbies of a game that are shown beside those of others. */
const OF_ONE_GAME = 5;

interface Group {
  readonly titleId: string;
  readonly lobbies: readonly Lobby[];
  readonly shown: readonly Lobby[];
}

/** Lobbies by game: the game of the first lobby is first. */
export function lobbyGroups({ lobbies, rows, titles, gameHref, moreHref }: LobbyGroups): Html {
  const groups = groupsOf(lobbies, rows);
  const shown = groups.filter((_, index) => rowsBefore(groups, index) < rows);
  const left = groups.slice(shown.length).flatMap((group) => group.lobbies);
  return html`<div class="groups">${shown.map((one) => group(one, titles, gameHref(one.titleId)))}</div>
    ${
      left.length > 0 &&
      html`<p class="more">
        <a class="button" href="${moreHref}">More: ${plural(left.length, 'lobby', 'lobbies')} of other games</a>
      </p>`
    }`;
}

function groupsOf(lobbies: readonly Lobby[], rows: number): Group[] {
  const byGame = Map.groupBy(lobbies, ({ titleId }) => titleId);
  const most = byGame.size === 1 ? rows : OF_ONE_GAME;
  return [...byGame].map(([titleId, all]) => ({ titleId, lobbies: all, shown: all.slice(0, most) }));
}

function rowsBefore(groups: readonly Group[], index: number): number {
  return groups.slice(0, index).reduce((sum, { shown }) => sum + shown.length, 0);
}

function group({ titleId, lobbies, shown }: Group, titles: Titles, href: string): Html {
  const players = lobbies.reduce((sum, { currentPlayers }) => sum + currentPlayers, 0);
  const more = lobbies.length - shown.length;
  return html`<div class="group" id="lobbies-of-${titleId}">
    <div class="head">
      <h3>${gameLink(titles, titleId, lobbies[0]?.gameName)}</h3>
      <p>${plural(lobbies.length, 'lobby', 'lobbies')} · ${plural(players, 'player')}</p>
    </div>
    ${lobbyTable({ lobbies: shown, titles, id: `lobby-of-${titleId}`, isOfOneGame: true })}
    ${more > 0 && html`<p class="hint"><a href="${href}">${formatCount(more)} more of this game</a></p>`}
  </div>`;
}
