import type { ObservedEntry } from '@lobbystats/contracts';
import type { BoardContent } from '../src/network/board.ts';
import { page } from './page-builder.ts';

/** Markup variations of a board page. */
export interface BoardStyle {
  /** The columns in order; `value` is the rating. */
  columns: readonly ('rank' | 'name' | 'value' | 'other')[];
  valueWord: string;
  head: boolean;
  terse: boolean;
  attribute: string;
  space: string;
}

const plainBoard: BoardStyle = {
  columns: ['rank', 'name', 'value'],
  valueWord: 'Time',
  head: true,
  terse: false,
  attribute: '',
  space: '',
};

/** A page of a board with these rows, or with the notice that there are none. */
export function boardPageHtml(
  entries: readonly ObservedEntry[],
  { hasNext = false, ...style }: Partial<BoardStyle> & { hasNext?: boolean } = {},
): string {
  const { columns, valueWord, head, terse, attribute, space } = { ...plainBoard, ...style };
  const end = (name: string) => (terse ? '' : `</${name}>`);
  const words = { rank: 'Rank', name: 'NAME', value: valueWord, other: 'Car' };
  const cellsOf = (texts: Record<keyof typeof words, string>, cell: string) =>
    columns.map((column) => `<${cell}${attribute}>${space}${escaped(texts[column])}${space}${end(cell)}`).join('');
  const header = `<tr>${cellsOf(words, head ? 'th' : 'td')}${end('tr')}`;
  const row = ({ rank, name, rating }: ObservedEntry) =>
    `<tr>${cellsOf({ rank: String(rank), name, value: rating, other: 'Audi' }, 'td')}${end('tr')}`;
  return page(
    `<h1>Board</h1><table class="table leaderboard">${head ? `<thead>${header}${end('thead')}<tbody>` : header}` +
      `${entries.length === 0 ? `<tr><td colspan=${columns.length}>No records yet.${end('td')}${end('tr')}` : entries.map(row).join('\n')}</table>` +
      (hasNext ? `<a href="?page=2" rel="nofollow Next">Next</a>` : `<a href="?page=1" rel="prev">Back</a>`),
  );
}

/** Entries with consecutive ranks from `from`. */
export function entriesOf(count: number, from = 1): ObservedEntry[] {
  return Array.from({ length: count }, (_, index) =>
    timed(from + index, `Player ${from + index}`, 40_000 + from + index),
  );
}

/** An entry of a time board. */
export function timed(rank: number, name: string, timeMs: number): ObservedEntry {
  const two = (value: number) => String(value).padStart(2, '0');
  const rating = `${two(Math.floor(timeMs / 60_000))}:${two(Math.floor(timeMs / 1000) % 60)}.${String(timeMs % 1000).padStart(3, '0')}`;
  return { rank, name, rating, timeMs };
}

/** An entry of a score board. */
export function scored(rank: number, name: string, score: number): ObservedEntry {
  return { rank, name, rating: score.toLocaleString('en-US'), timeMs: 0 };
}

/** The pages of a board in order, `rows` entries per page. */
export function pagesOf({ isTime, entries }: BoardContent, rows = 100): string[] {
  const count = Math.max(1, Math.ceil(entries.length / rows));
  return Array.from({ length: count }, (_, index) =>
    boardPageHtml(entries.slice(index * rows, (index + 1) * rows), {
      hasNext: index + 1 < count,
      valueWord: isTime ? 'Best time' : 'Kudos',
    }),
  );
}

function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
