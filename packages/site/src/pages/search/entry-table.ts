import type { operations, OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { table, type Column } from '../../parts/table.ts';
import { boardLink, formatCount, gameLink, playerLink, type Titles } from '../../parts/text.ts';

export type Entry = OperationResponse<typeof operations.searchByTime>['results'][number];

type Board = Pick<Entry, 'titleId' | 'gameName' | 'leaderboardId' | 'leaderboardName'>;

/** Leaderboard entries. @param rating the heading of their times or scores @param more columns beside it */
export function entryTable(
  caption: string,
  rows: readonly Entry[],
  rating: string,
  titles: Titles,
  more: readonly Column<Entry>[] = [],
): Html {
  return table<Entry>({
    ...{ id: 'entry', rows, key: (row) => `${row.titleId} ${row.leaderboardId} ${row.playerName}` },
    ...{ caption, empty: 'There is no such page of the results.' },
    isStacked: true,
    columns: [
      { heading: 'Player', isHead: true, cell: ({ playerName }) => playerLink(playerName) },
      {
        heading: rating,
        isNumber: true,
        cell: ({ isTime, timeFormatted, rating: score }) => (isTime ? timeFormatted : score),
      },
      ...more,
      { heading: 'Leaderboard', cell: (entry) => boardAndGame(titles, entry, `rank ${formatCount(entry.rank)} · `) },
    ],
  });
}

/** A leaderboard, its game below it. @param place text before the game */
export function boardAndGame(titles: Titles, board: Board, place = ''): Html {
  return html`${boardLink(titles, board)}
    <p class="hint">${place}${gameLink(titles, board.titleId, board.gameName)}</p>`;
}
