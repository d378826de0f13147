import { nameKey, operations, plainText, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { missingText } from '../../parts/missing-text.ts';
import { empty, part, section } from '../../parts/part.ts';
import { table } from '../../parts/table.ts';
import { formatCount, name, playerLink, time } from '../../parts/text.ts';

const { listRecordHolders } = operations;

type Board = OperationResponse<typeof listRecordHolders>[number];

/** Fewer boards are found without a filter. */
const FILTERED_FROM = 12;

/** All leaderboards of a game with their records, grouped by mode. @param q words of names, empty for all */
export async function gameBoards(titleId: string, q: string, data: PageData): Promise<Html> {
  const [boards, missing] = await Promise.all([
    data.askPart(listRecordHolders, { titleId }),
    missingText('leaderboards', data),
  ]);
  const content = part(boards, (all) => {
    if (all.length === 0) return empty(missing ?? 'No leaderboard of this game is known');
    const shown = all.filter((board) => hasWords(board, q));
    return html`${(all.length >= FILTERED_FROM || q !== '') && filterForm(titleId, q)}
    ${shown.length === 0 ? empty('No leaderboard or record holder has this in its name') : groups(titleId, shown)}`;
  });
  return section('leaderboards', 'Leaderboards', content, boards && formatCount(boards.length));
}

function hasWords({ name: boardName, record }: Board, q: string): boolean {
  const text = nameKey(`${boardName} ${record?.playerName ?? ''}`);
  return nameKey(q)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function filterForm(titleId: string, q: string): Html {
  const path = links.game(titleId);
  return html`<form class="filters" role="search" aria-label="Leaderboards" action="${path}#leaderboards">
    <label
      >Leaderboard or record holder
      <input name="board" type="search" value="${q}" maxlength="100" autocomplete="off" spellcheck="false"
    /></label>
    <button>Filter</button>
    ${q !== '' && html`<a href="${path}#leaderboards">All leaderboards</a>`}
  </form>`;
}

function groups(titleId: string, boards: readonly Board[]): Html {
  const byMode = groupByMode(boards);
  const board = (mode: string, id: string, rows: readonly Board[]) =>
    boardTable({ titleId, mode, id, rows, caption: plainText`${mode} leaderboards and their records`.trim() });
  if (byMode.size === 1) return board('', 'board', boards);
  return html`<div class="groups">
    ${[...byMode].map(
      ([mode, some], index) =>
        html`<div>
          <h3>${mode === '' ? 'Others' : name(mode)}</h3>
          ${board(mode, `board-${index + 1}`, some)}
        </div>`,
    )}
  </div>`;
}

/** By `Best Lap` of `Best Lap - Old Pier`; boards that share theirs with no other come last, without a mode. */
function groupByMode(boards: readonly Board[]): ReadonlyMap<string, readonly Board[]> {
  const all = Map.groupBy(boards, ({ name: boardName }) => MODE.exec(boardName)?.[1] ?? '');
  const modes = [...all].filter(([mode, some]) => mode !== '' && some.length > 1);
  const inMode = new Set(modes.flatMap(([, some]) => some));
  const others = boards.filter((board) => !inMode.has(board));
  return new Map(others.length === 0 ? modes : [...modes, ['', others]]);
}

const MODE = /^(.+?)(?: [-–—] |: )(?=.)/s;

interface BoardTable {
  readonly titleId: string;
  /** Left out of the names; empty for boards of several. */
  readonly mode: string;
  readonly id: string;
  readonly caption: string;
  readonly rows: readonly Board[];
}

function boardTable({ titleId, mode, id, caption, rows }: BoardTable): Html {
  const shortName = ({ name: full }: Board) => (mode === '' ? full : full.replace(MODE, ''));
  return table<Board>({
    ...{ id, rows, key: ({ leaderboardId }) => leaderboardId, caption, empty: '' },
    columns: [
      {
        heading: 'Leaderboard',
        isHead: true,
        cell: (board) =>
          html`<a href="${links.leaderboard(titleId, board.leaderboardId)}">${name(shortName(board))}</a>`,
      },
      {
        heading: 'Record',
        isNumber: true,
        cell: ({ record }) => (record === null ? '–' : record.isTime ? record.timeFormatted : record.rating),
      },
      { heading: 'Holder', cell: ({ record }) => (record === null ? '–' : holder(record)) },
      { heading: 'Entries', isNumber: true, isMinor: true, cell: ({ entries }) => formatCount(entries) },
    ],
  });
}

function holder({ playerName, isShared, since }: NonNullable<Board['record']>): Html {
  return html`${playerLink(playerName)}${isShared && ' and others'}
  ${since !== null && html`<p class="hint">since ${time(since, 'exact')}</p>`}`;
}
