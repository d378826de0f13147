import {
  cellBegin,
  cellCount,
  cellX,
  partialCell,
  type PlotData,
  type PlotFlag,
  type PlotSeries,
} from './plot-data.ts';
import { yRange } from './scales.ts';

/** In pixels, or in units of a view box: coordinates are whole ones. */
export interface PlotArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** SVG coordinates of one series: a line and an area for each run of known values. */
export interface SeriesShape {
  readonly lines: readonly string[];
  /** The line to a value that may change. */
  readonly unfinished: readonly string[];
  /** Between each line and the axis. */
  readonly areas: readonly string[];
  /** From the lowest to the highest counts. */
  readonly bands: readonly string[];
}

type Value = (index: number) => number | null;
type Position = (x: number, value: number) => string;

/** Where the series of a plot are drawn. Areas are left out where others would cover them, or the axis isn't at 0. */
export function plotShapes(data: PlotData, area: PlotArea): readonly SeriesShape[] {
  const { cells, y, series } = data;
  const [least, greatest] = yRange(data);
  const perX = area.width / (cells.until - cells.from);
  const perY = area.height / (greatest - least);
  const position: Position = (x, value) => {
    const height = perY * (y === 'rank' ? greatest - value : value - least);
    return `${pixel(area.left + perX * (x - cells.from))},${pixel(area.top + area.height - height)}`;
  };
  const axis = y === 'rank' ? greatest : Math.max(least, 0);
  const hasArea = y !== 'fit' && series.length === 1;
  return series.map(({ values, bounds }) => {
    const value: Value = (index) => values[index] ?? null;
    const runs = runsOf(data, value);
    const partial = partialCell(cells);
    const finished = runs
      .map(([first, last]): Run => [first, last === partial ? last - 1 : last])
      .filter(([first, last]) => first <= last);
    const shapeOf = (run: Run) => lineOf(data, run, value);
    const draw = (points: readonly Point[]) => points.map(([x, at]) => position(x, at)).join(' ');
    const close = (points: readonly Point[]) => {
      const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
      return `${position(first, axis)} ${draw(points)} ${position(last, axis)}`;
    };
    return {
      lines: finished.map((run) => draw(shapeOf(run))),
      unfinished: partialRuns(data, value).map((run) => draw(shapeOf(run))),
      areas: hasArea && bounds === undefined ? finished.map((run) => close(shapeOf(run))) : [],
      bands: bounds === undefined ? [] : bandsOf(data, bounds, position),
    };
  });
}

type Point = readonly [x: number, value: number];
/** Indexes of cells, both included. */
type Run = readonly [first: number, last: number];

/** Cells with values, without a gap. A bar is a run of its own. */
function runsOf({ cells, kind }: PlotData, value: Value): Run[] {
  const runs: [first: number, last: number][] = [];
  for (let index = 0; index < cellCount(cells); index += 1) {
    if (value(index) === null) continue;
    const run = runs.at(-1);
    if (run?.[1] === index - 1 && kind !== 'bars') run[1] = index;
    else runs.push([index, index]);
  }
  return runs;
}

function lineOf({ cells, kind }: PlotData, [first, last]: Run, value: Value): Point[] {
  const points: Point[] = [];
  for (let index = first; index <= last; index += 1) {
    const at = value(index) ?? 0;
    // A single value has the width of its cell, or nobody would see it.
    if (kind === 'line' && first < last) points.push([cellX(cells, index), at]);
    else points.push([cellBegin(cells, index), at], [cellBegin(cells, index + 1), at]);
  }
  return points;
}

/** A line to the partial cell begins at the one before. */
function partialRuns({ cells, kind }: PlotData, value: Value): Run[] {
  const partial = partialCell(cells);
  if (partial === undefined || value(partial) === null) return [];
  const isJoined = kind === 'line' && partial > 0 && value(partial - 1) !== null;
  return [[isJoined ? partial - 1 : partial, partial]];
}

function bandsOf(data: PlotData, { low, high }: NonNullable<PlotSeries['bounds']>, position: Position): string[] {
  const of = (values: readonly (number | null)[]) => (index: number) => values[index] ?? null;
  return runsOf(data, of(high)).map((run) => {
    const edge = [...lineOf(data, run, of(high)), ...lineOf(data, run, of(low)).reverse()];
    return edge.map(([x, value]) => position(x, value)).join(' ');
  });
}

function pixel(value: number): string {
  return String(Math.round(value));
}

/** Where flags are drawn: from the left edge, at least a unit wide. */
export function flagShapes(
  { cells: { from, until: end }, flags = [] }: PlotData,
  { left, width }: Pick<PlotArea, 'left' | 'width'>,
): readonly { readonly kind: PlotFlag['kind']; readonly x: number; readonly width: number }[] {
  const x = (at: number) => left + ((Math.min(Math.max(at, from), end) - from) / (end - from)) * width;
  return flags.map(({ kind, at, until = at }) => ({ kind, x: x(at), width: Math.max(1, x(until) - x(at)) }));
}
