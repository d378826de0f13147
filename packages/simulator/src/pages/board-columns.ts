import type { BoardEntry } from '../world/board.ts';
import type { Board } from '../world/boards.ts';
import { fraction, hashText, mix, pick, pickIndex } from '../world/hash.ts';
import { escapeHtml } from './page.ts';

const TIME_HEADS = ['Time', 'Lap', 'Best time'] as const;
const SCORE_HEADS = ['Score', 'Rating', 'Kudos', 'Points'] as const;
const CARS = ['Vole GT', 'Marten 2', 'Heron & Sons', 'Bittern S', '-'] as const;
const REGIONS = ['EU', 'NA', 'ASIA', 'OCE', ''] as const;

export interface Column {
  head: string;
  cell(entry: BoardEntry): string;
}

/** Other columns and their order change by board and day. */
export function boardColumns(board: Board, day: number): readonly Column[] {
  const boardHash = mix(hashText(board.titleId), board.id);
  const others = othersOf(board.isTime).filter((_, index) => fraction(mix(mix(boardHash, day), index)) < 0.4);
  const rating = {
    head: pick(mix(boardHash, 1), board.isTime ? TIME_HEADS : SCORE_HEADS),
    cell: (entry: BoardEntry) => `<td class="text-right">${entry.rating}`,
  };
  return [RANK, NAME, rating, ...others]
    .map((column, index) => ({ column, order: index / 2 + 3 * fraction(mix(mix(boardHash, day), 10 + index)) }))
    .sort((one, other) => one.order - other.order)
    .map(({ column }) => column);
}

const RANK: Column = { head: 'Rank', cell: ({ rank }) => `<td class="text-right">${rank.toLocaleString('en')}</td>` };
const NAME: Column = { head: 'Name', cell: ({ name }) => `<td>${escapeHtml(name)}</td>` };

function othersOf(isTime: boolean): readonly Column[] {
  return [
    { head: 'Region', cell: ({ name }) => `<td>${pick(mix(hashText(name), 1), REGIONS)}` },
    { head: isTime ? 'Laps' : 'Play time', cell: ({ name }) => `<td>${isTime ? count(name, 90) : clock(name)}</td>` },
    {
      head: isTime ? 'Gap' : 'Games',
      cell: ({ name }) => `<td class=small>${isTime ? clock(name) : count(name, 4_000)}`,
    },
    { head: 'Car', cell: ({ name }) => `<td><em>${escapeHtml(pick(mix(hashText(name), 2), CARS))}</em></td>` },
  ];
}

function count(name: string, most: number): string {
  return pickIndex(mix(hashText(name), 3), most).toLocaleString('en');
}

function clock(name: string): string {
  return `00:${10 + pickIndex(mix(hashText(name), 4), 50)}.000`;
}
