import { OFFSET_MAX, operations, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { pager } from '../../parts/pager.ts';
import { empty, part } from '../../parts/part.ts';
import { table } from '../../parts/table.ts';
import { boardLink, formatCount, gameLink, name, playerLink, plural, type Titles } from '../../parts/text.ts';
import { askCommonBoards, commonBoardsOperations, type CommonBoard, type Entry } from './common-boards.ts';
import { COMPARED_PLAYERS, type UnknownName } from './comparison.ts';
import { messages } from './forms.ts';

const { getPlayer, suggestNames } = operations;

/** Operations that {@link comparedPlayers} asks. */
export const comparedPlayersOperations = [getPlayer, suggestNames, ...commonBoardsOperations] as const;

type Player = OperationResponse<typeof getPlayer>;

const PAGE_SIZE = 100;

export interface PlayersPage {
  readonly names: readonly string[];
  readonly offset: number;
  readonly href: (offset: number) => string;
  /** The comparison of other players. */
  readonly hrefWith: (names: readonly string[]) => string;
}

/** Two players: their totals, and who is ahead on each common leaderboard. */
export async function comparedPlayers({ names, offset, href, hrefWith }: PlayersPage, data: PageData): Promise<Html> {
  const [a, b] = names;
  if (a === undefined) return empty('Choose two players to compare their ranks');
  const players = await Promise.all(names.map((player) => data.find(getPlayer, { player }, { limit: 1 })));
  const unknown = names.filter((_, index) => players[index] === null);
  if (unknown.length > 0) {
    const named = await Promise.all(unknown.map((text) => similarPlayers(text, data)));
    const hrefOf = (text: string, meant: string) => hrefWith(names.map((one) => (one === text ? meant : one)));
    return html`${messages('player', { unknown: named, leftOut: [] }, hrefOf)}`;
  }
  if (b === undefined) return empty(`Choose ${formatCount(COMPARED_PLAYERS)} players to compare their ranks`);
  const boards = await askCommonBoards([a, b], data);
  const spelled = [players[0]?.name ?? a, players[1]?.name ?? b] as const;
  return html`${part(boards, (all) => verdict(all, spelled))}
  ${part(areKnown(players) ? players : undefined, (known) => totals(known, boards ?? []))}
  ${part(
    boards,
    (all) =>
      html`${boardTable(all.slice(offset, offset + PAGE_SIZE), spelled, data.titles)}
      ${pager({ total: all.length, limit: PAGE_SIZE, offset, href, label: 'leaderboards', offsetMax: OFFSET_MAX })}`,
  )}`;
}

async function similarPlayers(text: string, data: PageData): Promise<UnknownName> {
  const found = await data.askPart(suggestNames, {}, { q: text, type: 'player' });
  return { text, candidates: (found?.suggestions ?? []).map(({ name: meant }) => ({ key: meant, name: meant })) };
}

function areKnown(players: readonly (Player | undefined | null)[]): players is readonly Player[] {
  return players.every((player) => player !== undefined && player !== null);
}

type Names = readonly [string, string];

function leads(boards: readonly CommonBoard[], index: number): number {
  return boards.filter(({ ahead }) => ahead === index).length;
}

function verdict(boards: readonly CommonBoard[], [a, b]: Names): Html {
  if (boards.length === 0) return html`<p id="verdict">${name(a)} and ${name(b)} have no leaderboard in common.</p>`;
  const [first, second] = [leads(boards, 0), leads(boards, 1)];
  const ties = boards.length - first - second;
  return html`<p id="verdict">
    Of ${plural(boards.length, 'common leaderboard')}, ${name(a)} is ahead on ${formatCount(first)} and ${name(b)} on
    ${formatCount(second)}${ties > 0 && `; equal ranks on ${formatCount(ties)}`}.
  </p>`;
}

function totals(players: readonly Player[], boards: readonly CommonBoard[]): Html {
  const rows = players.map((player, index) => ({ player, ahead: leads(boards, index) }));
  return table<(typeof rows)[number]>({
    ...{ id: 'player', rows, key: ({ player }) => player.name },
    caption: 'Totals',
    empty: '',
    columns: [
      { heading: 'Player', isHead: true, cell: ({ player }) => playerLink(player.name) },
      { heading: 'Ahead', isNumber: true, isMinor: true, cell: ({ ahead }) => formatCount(ahead) },
      { heading: 'Leaderboards', isNumber: true, cell: ({ player }) => formatCount(player.leaderboardsOn) },
      { heading: 'Top 10', isNumber: true, isMinor: true, cell: ({ player }) => formatCount(player.top10Count) },
      {
        heading: 'Matches hosted',
        isNumber: true,
        isMinor: true,
        cell: ({ player }) => formatCount(player.matchesHosted),
      },
    ],
  });
}

function boardTable(rows: readonly CommonBoard[], names: Names, titles: Titles): Html | '' {
  if (rows.length === 0) return '';
  const ofPlayer = (index: 0 | 1) => [
    { heading: names[index], isNumber: true, cell: (board: CommonBoard) => rankOf(board, index) },
    {
      heading: 'Rating',
      isNumber: true,
      isMinor: true,
      cell: ({ entries }: CommonBoard) => ratingOf(entries[index]),
    },
  ];
  return table<CommonBoard>({
    ...{ id: 'board', rows, key: ({ titleId, leaderboardId }) => `${titleId} ${leaderboardId}` },
    caption: 'Common leaderboards',
    empty: '',
    columns: [
      {
        heading: 'Leaderboard',
        isHead: true,
        cell: (board) => boardLink(titles, board),
      },
      { heading: 'Game', isMinor: true, cell: ({ titleId, gameName }) => gameLink(titles, titleId, gameName) },
      ...ofPlayer(0),
      ...ofPlayer(1),
      { heading: 'Ahead', isMinor: true, cell: ({ ahead }) => (ahead === undefined ? 'equal' : name(names[ahead])) },
    ],
  });
}

function rankOf({ entries, ahead }: CommonBoard, index: 0 | 1): Html | string {
  const rank = formatCount(entries[index].rank);
  return ahead === index ? html`<b class="up">${rank}</b>` : rank;
}

function ratingOf({ isTime, timeFormatted, rating }: Entry): Html {
  return name(isTime ? timeFormatted : rating);
}
