import { nameKey, plainText, type operations, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { betterText, distanceOf } from '../../parts/distance.ts';
import { table, type Column } from '../../parts/table.ts';
import { formatCount, playerLink, time } from '../../parts/text.ts';

export type Board = OperationResponse<typeof operations.getLeaderboard>;
type Entry = Board['entries'][number];

/** The board of an earlier day, to compare with. */
export interface EarlierBoard {
  readonly day: string;
  /** A part of it around the compared rows. */
  readonly board: Board;
  /** Whether the part is the whole board. */
  readonly isWhole: boolean;
}

export interface BoardTable {
  readonly board: Board;
  readonly around: string | undefined;
  readonly earlier: EarlierBoard | undefined;
  /** The first entries of the board. */
  readonly top: readonly Entry[];
}

interface Rival {
  readonly entry: Entry;
  /** Distance to it: `0.042 s`, `1:02.345`, `1,200`. */
  readonly gap: string;
}

/** The entries that another one is behind; undefined if it is not, or if their distance is unknown. */
interface Rivals {
  readonly first: Rival | undefined;
  /** The nearest one of a better rank. */
  readonly next: Rival | undefined;
}

interface Row extends Rivals {
  readonly entry: Entry;
  /** Undefined: unknown; null: it was not on the board. */
  readonly before: number | null | undefined;
}

/** A page of a leaderboard. */
export function boardTable({ board, around, earlier, top }: BoardTable): Html {
  const isTime = board.entries[0]?.isTime ?? false;
  const marked = around === undefined ? undefined : nameKey(around);
  const hasUnknownDates = board.entries.some(({ since }) => since === null);
  const rows = rowsOf(board, earlier, top);
  const isMarked = ({ entry: { name } }: Row) => marked !== undefined && nameKey(name) === marked;
  const own = marked === undefined ? undefined : rows.find(isMarked);
  return html`${own?.next && html`<p class="hint" id="target">${nextTarget(own.entry, own.next)}</p>`}
  ${table<Row>({
    caption: plainText`Entries of ${board.name}`,
    empty: 'No entries here',
    ...{ id: 'entry', rows, key: ({ entry }) => entry.name },
    isMarked,
    columns: [
      { heading: 'Rank', isNumber: true, cell: ({ entry }) => entry.rank },
      { heading: 'Player', isHead: true, cell: ({ entry }) => playerLink(entry.name) },
      {
        heading: isTime ? 'Time' : 'Score',
        isNumber: true,
        cell: ({ entry, next }) => ratingCell(entry, next),
      },
      {
        heading: 'To first',
        isNumber: true,
        isMinor: true,
        cell: ({ first }) => gapText(first),
      },
      { heading: 'To next', isNumber: true, isMinor: true, cell: ({ next }) => gapText(next) },
      {
        heading: 'Since',
        isMinor: true,
        cell: ({ entry: { since } }) => (since === null || since === undefined ? '–' : time(since)),
      },
      ...(earlier === undefined ? [] : movementColumns(earlier)),
    ],
  })}
  ${
    hasUnknownDates &&
    html`<p class="hint minor">Since: a dash is a time or score from before the first known change.</p>`
  }`;
}

/** @param known entries in the order of the board */
export function rivalsOf(entry: Entry, known: readonly Entry[]): Rivals {
  const [first] = known;
  const next = known.findLast(({ rank }) => Number(rank) < Number(entry.rank));
  return { first: first?.rank === '1' ? rivalOf(entry, first) : undefined, next: next && rivalOf(entry, next) };
}

function rivalOf(entry: Entry, other: Entry): Rival | undefined {
  const gap = distanceOf(entry, other);
  return gap === undefined ? undefined : { entry: other, gap };
}

/** A sentence on what a player lacks to the next rank. */
function nextTarget(entry: Entry, { entry: other, gap }: Rival): Html {
  return html`Rank ${entry.rank}. The next target is rank ${other.rank}, ${playerLink(other.name)}:
    <b>${gap}</b> ${betterText(entry)}.`;
}

/** On narrow screens the gap to the next entry stands below, in place of its column. */
function ratingCell({ timeFormatted, rating }: Entry, next: Rival | undefined): Html {
  return html`${timeFormatted || rating}${next && html`<span class="below hint"> ${gapText(next)}</span>`}`;
}

function gapText(rival: Rival | undefined): string {
  return rival === undefined ? '–' : `+${rival.gap}`;
}

function movementColumns({ day }: EarlierBoard): Column<Row>[] {
  return [
    { heading: `Rank on ${day}`, isNumber: true, isMinor: true, cell: ({ before }) => formatCount(before ?? null) },
    { heading: 'Moved', isNumber: true, cell: movement },
  ];
}

function movement({ entry, before }: Row): Html | string {
  if (before === undefined) return '–';
  if (before === null) return html`<span class="tag">new</span>`;
  const change = before - Number(entry.rank);
  if (change === 0) return '=';
  const [className, sign, text] = change > 0 ? ['up', '▲', 'up'] : ['down', '▼', 'down'];
  return html`<span class="${className}"
    ><span aria-hidden="true">${sign} </span><span class="hidden">${text} </span>${formatCount(Math.abs(change))}</span
  >`;
}

/** Entries of the same name are compared in their order. */
function rowsOf({ entries }: Board, earlier: EarlierBoard | undefined, top: readonly Entry[]): Row[] {
  const firstRank = Number(entries[0]?.rank);
  const known = [...top.filter(({ rank }) => Number(rank) < firstRank), ...entries];
  const ranks = new Map(
    Map.groupBy(earlier?.board.entries ?? [], ({ name }) => name)
      .entries()
      .map(([name, all]) => [name, all.map(({ rank }) => Number(rank))] as const),
  );
  const missing = earlier?.isWhole === true ? null : undefined;
  return entries.map((entry) => ({
    ...{ entry, before: ranks.get(entry.name)?.shift() ?? missing },
    ...rivalsOf(entry, known),
  }));
}
