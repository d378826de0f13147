/** Data of a plot, for pictures, the browser's plot and texts. */
export interface PlotData {
  readonly kind: 'line' | 'bars' | 'steps';
  /** The y axis: `zero` begins at 0, `fit` at about the lowest value, `rank` grows downwards from 1. */
  readonly y: 'zero' | 'fit' | 'rank';
  /** Values in milliseconds. Default: counts or ranks. */
  readonly values?: 'time';
  readonly cells: Cells;
  readonly series: readonly PlotSeries[];
  readonly flags?: readonly PlotFlag[];
  /** The usual values after the newest cell. Their part of the axis has no cells. */
  readonly expected?: Expectation;
}

/** Shown as a line with a band above it. */
export interface Expectation {
  readonly label: string;
  /** In epoch seconds, ascending. */
  readonly points: readonly (readonly [at: number, usual: number, most: number])[];
}

/** Something that happened, marked in a plot over time. Epoch seconds, UTC. */
export interface PlotFlag {
  readonly kind: 'event' | 'record' | 'outage';
  readonly at: number;
  /** Default: it was an instant. */
  readonly until?: number;
  readonly text: string;
}

export interface PlotSeries {
  readonly label: string;
  /** One for each cell; null: unknown, the line has a gap. */
  readonly values: readonly (number | null)[];
  /** Said after each value, such as who holds a record. */
  readonly notes?: readonly string[];
  /** Lowest and highest count of each cell whose value is a mean. */
  readonly bounds?: {
    readonly low: readonly (number | null)[];
    readonly high: readonly (number | null)[];
  };
}

/**
 * The x axis, divided into cells. It is the period that was asked for, whatever is known of it. Times are epoch
 * seconds, UTC.
 */
export interface Cells {
  /** `change`: a cell lasts until the next one begins. */
  readonly unit: 'slot' | 'bucket' | 'day' | 'week' | 'change' | 'bin';
  readonly from: number;
  readonly until: number;
  /** The width of each, or where each begins. */
  readonly begins: number | readonly number[];
  /** The last one is not over: its value may change. */
  readonly isUnfinished?: boolean;
  /** Texts of the lower edge of each bin, then of the last one's upper edge. */
  readonly edges?: readonly string[];
}

/** Where the x axis ends: with its cells, or with what is expected after them. */
export function axisEnd({ cells, expected }: PlotData): number {
  return Math.max(cells.until, expected?.points.at(-1)?.[0] ?? 0);
}

export function cellCount({ from, until, begins }: Cells): number {
  return typeof begins === 'number' ? Math.round((until - from) / begins) : begins.length;
}

/** Where a cell begins; of the index after the last one, where the last one ends. */
export function cellBegin({ from, until, begins }: Cells, index: number): number {
  if (typeof begins === 'number') return from + index * begins;
  return begins[index] ?? until;
}

/** Where the value of a cell is drawn: a change at its time, all others in the middle. */
export function cellX(cells: Cells, index: number): number {
  const begin = cellBegin(cells, index);
  return typeof cells.begins === 'number' ? begin + cells.begins / 2 : begin;
}

/** Where a cell is in a plot. */
export interface CellSpan {
  readonly begin: number;
  /** See {@link cellX}. */
  readonly x: number;
  readonly end: number;
}

export function cellSpans(cells: Cells): readonly CellSpan[] {
  return Array.from({ length: cellCount(cells) }, (_, index) => ({
    begin: cellBegin(cells, index),
    x: cellX(cells, index),
    end: cellBegin(cells, index + 1),
  }));
}

/** The cell that contains an x, the last one with its end; undefined outside of all. */
export function cellAt(cells: Cells, x: number): number | undefined {
  const { from, until, begins } = cells;
  const last = cellCount(cells) - 1;
  const index =
    typeof begins === 'number' ? Math.floor((x - from) / begins) : begins.findLastIndex((begin) => begin <= x);
  return index < 0 || x > until ? undefined : Math.min(index, last);
}

/** Flags that are within a cell at least in part. */
export function flagsOf({ cells, flags = [] }: PlotData, index: number): readonly PlotFlag[] {
  return flagsWithin(flags, cellBegin(cells, index), cellBegin(cells, index + 1));
}

/** A plot with those flags that are within its period. */
export function withFlags(plot: PlotData, flags: readonly PlotFlag[]): PlotData {
  const within = flagsWithin(flags, plot.cells.from, axisEnd(plot));
  return within.length === 0 ? plot : { ...plot, flags: within };
}

/** Flags of a period; one that ends when it begins is not in it. */
function flagsWithin(flags: readonly PlotFlag[], from: number, end: number): readonly PlotFlag[] {
  return flags.filter(({ at, until = at }) => at < end && (at >= from || until > from));
}

/** True for cells whose names have a time of day, which depends on the zone. */
export function hasTimeOfDay({ unit }: Cells): boolean {
  return unit === 'slot' || unit === 'bucket' || unit === 'change';
}

/** Index of the last cell with a value; the period may end with cells that have none yet. */
export function newestCell({ series }: PlotData): number {
  return Math.max(0, ...series.map(({ values }) => values.findLastIndex((value) => value !== null)));
}

export function hasValues({ series }: PlotData): boolean {
  return series.some(({ values }) => values.some((value) => value !== null));
}

/** The cell of which half a day or week shows half the matches. A mean of less than a bucket is a mean all the same. */
export function partialCell(cells: Cells): number | undefined {
  return cells.isUnfinished === true && cells.unit !== 'bucket' ? cellCount(cells) - 1 : undefined;
}

/** Maximum of rows of the table below a plot. */
export const TABLE_ROWS = 31;

/** Cells of each row of the table below a plot, newest first: several are summarized, but for changes. */
export function tableRows({ cells }: PlotData): readonly { readonly start: number; readonly end: number }[] {
  const count = cellCount(cells);
  const size = rowSize(cells);
  // The first row ends with the last cell.
  const ends = Array.from({ length: Math.min(TABLE_ROWS, Math.ceil(count / size)) }, (_, row) => count - row * size);
  return ends.map((end) => ({ start: Math.max(0, end - size), end }));
}

/** Changes last differently long: no row is of several. */
export function rowSize(cells: Cells): number {
  const count = cellCount(cells);
  return cells.unit === 'change' || count <= TABLE_ROWS ? 1 : Math.ceil(count / SUMMARY_ROWS);
}

/** Maximum of rows that are of several cells: a day has one for each hour. */
const SUMMARY_ROWS = 24;
