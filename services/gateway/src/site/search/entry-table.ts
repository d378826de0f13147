import type { operations, OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../html.ts';
import { links } from '../links.ts';
import { table, type Column } from '../parts/table.ts';
import { formatCount, gameLink, name, playerLink } from '../parts/text.ts';

export type Entry = OperationResponse<typeof operations.searchByTime>['results'][number];

export type EntryColumn = Column<Entry>;

const PLAYER: EntryColumn = { heading: 'Player', isHead: true, cell: ({ playerName }) => playerLink(playerName) };
const RATING: EntryColumn = {
  heading: 'Time or score',
  isNumber: true,
  cell: ({ isTime, timeFormatted, rating }) => (isTime ? timeFormatted : rating),
};
const PLACE: readonly EntryColumn[] = [
  { heading: 'Rank', isNumber: true, cell: ({ rank }) => formatCount(rank) },
  { heading: 'Leaderboard', cell: boardLink },
  { heading: 'Game', cell: ({ titleId, gameName }) => gameLink(titleId, gameName) },
];

/** Leaderboard entries. @param more columns beside the rating */
export function entryTable(caption: string, rows: readonly Entry[], more: readonly EntryColumn[] = []): Html {
  return table<Entry>({ caption, rows, columns: [PLAYER, RATING, ...more, ...PLACE], empty: 'No entries' });
}

/** A link to an entry around its player. */
export function boardLink({
  titleId,
  leaderboardId,
  leaderboardName,
}: Pick<Entry, 'titleId' | 'leaderboardId' | 'leaderboardName'>): Html {
  return html`<a href="${links.leaderboard(titleId, leaderboardId)}">${name(leaderboardName)}</a>`;
}
