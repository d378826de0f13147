import { links } from '../links.ts';
import { apiOf } from './api.ts';
import { linkTo, linkToPlayer, paragraph } from './elements.ts';
import type { Session } from './island.ts';
import { relationOf, type People } from './people.ts';

type Cell = Node | string;

interface Rows {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Said when there is no row. */
  readonly none: string;
}

/**
 * The rows of the reader and their friends among all of a leaderboard, all open lobbies or all unlocks, not those of the shown page
 * alone. Everything is read, so that the names of friends stay in the browser.
 */
export async function friendsOnly({ dataset }: HTMLElement, session: Session, people: People): Promise<Cell[]> {
  const read = READERS[dataset['friends'] ?? ''] ?? lobbyRows;
  const { headings, rows, none } = await read(dataset, session, people);
  if (rows.length === 0) return [paragraph(none)];
  const table = tableOf(headings, rows);
  session.showTimes(table);
  return [table];
}

const READERS: Readonly<Record<string, typeof lobbyRows>> = { board: boardRows, unlocks: unlockRows };

const PAGE = 100;

async function unlockRows({ achievement }: DOMStringMap, session: Session, people: People): Promise<Rows> {
  const asked = { achievement: Number(achievement), limit: PAGE };
  const rows: Cell[][] = [];
  let total = 1;
  for (let offset = 0; offset < total; offset += PAGE) {
    const page = await apiOf(session).listRecentUnlocks({ ...asked, offset });
    for (const { username, unlockedAt } of page.recent) {
      if (relationOf(people, username) === undefined) continue;
      const time = document.createElement('time');
      time.dateTime = `${unlockedAt.replace(' ', 'T')}Z`;
      time.dataset['time'] = 'relative';
      rows.push([linkTo(links.player(username), username), time]);
    }
    total = page.total ?? 0;
  }
  return {
    headings: ['Player', 'Unlocked'],
    rows,
    none: `Neither you nor ${friendsText(people)} has unlocked it.`,
  };
}

async function boardRows({ title = '', board }: DOMStringMap, session: Session, people: People): Promise<Rows> {
  const { entries } = await apiOf(session).getLeaderboard({ titleId: title, leaderboardId: Number(board) });
  return {
    headings: ['Rank', 'Player', 'Time or score'],
    rows: entries
      .filter(({ name }) => relationOf(people, name) !== undefined)
      .map(({ rank, name, timeFormatted, rating }) => [rank, linkToPlayer(name), timeFormatted || rating]),
    none: `Neither you nor ${friendsText(people)} is on this leaderboard.`,
  };
}

async function lobbyRows({ title, limit }: DOMStringMap, session: Session, people: People): Promise<Rows> {
  const { lobbies } = await apiOf(session).listLobbies({
    ...(title !== undefined && { titleId: title }),
    limit: Number(limit),
  });
  return {
    headings: ['Host', 'Game', 'Players'],
    rows: lobbies
      .filter(({ hostName }) => relationOf(people, hostName) !== undefined)
      .map((lobby) => [
        linkToPlayer(lobby.hostName),
        linkTo(links.game(lobby.titleId), lobby.gameName || lobby.titleId),
        lobby.maxPlayers === 0 ? String(lobby.currentPlayers) : `${lobby.currentPlayers}/${lobby.maxPlayers}`,
      ]),
    none: `Neither you nor ${friendsText(people)} hosts an open lobby.`,
  };
}

function friendsText({ friends }: People): string {
  return friends.length === 1 ? 'your friend' : `any of your ${friends.length} friends`;
}

function tableOf(headings: readonly string[], rows: readonly (readonly Cell[])[]): HTMLElement {
  const frame = document.createElement('div');
  frame.className = 'table';
  const table = frame.appendChild(document.createElement('table'));
  const caption = table.createCaption();
  caption.className = 'hidden';
  caption.textContent = 'Your friends and you';
  const head = table.createTHead().insertRow();
  for (const text of headings) {
    const heading = document.createElement('th');
    heading.scope = 'col';
    heading.textContent = text;
    head.append(heading);
  }
  const body = table.createTBody();
  for (const cells of rows) {
    const row = body.insertRow();
    for (const cell of cells) {
      const isName = cell instanceof Node && row.querySelector('th') === null;
      const element = document.createElement(isName ? 'th' : 'td');
      if (isName) element.setAttribute('scope', 'row');
      element.append(cell);
      row.append(element);
    }
  }
  return frame;
}
