import {
  axisEnd,
  cellSpans,
  partialCell,
  type CellSpan,
  type PlotData,
  type PlotFlag,
  type PlotSeries,
} from './plot-data.ts';

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

type Values = readonly (number | null)[];
type Position = (x: number, value: number) => string;

/** The position of a time and value in an area. */
function positionIn(data: PlotData, area: PlotArea): Position {
  const [least, greatest] = yRange(data);
  const perX = area.width / (axisEnd(data) - data.cells.from);
  const perY = area.height / (greatest - least);
  return (x, value) => {
    const height = perY * (data.y === 'rank' ? greatest - value : value - least);
    return `${pixel(area.left + perX * (x - data.cells.from))},${pixel(area.top + area.height - height)}`;
  };
}

/** Where the series of a plot are drawn. Areas are left out where others would cover them, or the axis isn't at 0. */
export function plotShapes(data: PlotData, area: PlotArea): readonly SeriesShape[] {
  const { kind, cells, y, series } = data;
  const [least, greatest] = yRange(data);
  const [spans, partial] = [cellSpans(cells), partialCell(cells)];
  const position = positionIn(data, area);
  const axis = y === 'rank' ? greatest : Math.max(least, 0);
  const hasArea = y !== 'fit' && series.length === 1;
  return series.map(({ values, bounds }) => {
    const finished = runsOf(data, values)
      .map(([first, last]): Run => [first, last === partial ? last - 1 : last])
      .filter(([first, last]) => first <= last);
    const shapeOf = (run: Run) => lineOf(data, spans, run, values);
    const draw = (points: readonly Point[]) =>
      points
        .filter(isCorner)
        .map(([x, at]) => position(x, at))
        .join(' ');
    const close = (points: readonly Point[]) => {
      const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
      return `${position(first, axis)} ${draw(points)} ${position(last, axis)}`;
    };
    return {
      lines: finished.map((run) => draw(shapeOf(run))),
      unfinished: partialRuns(kind, partial, values).map((run) => draw(shapeOf(run))),
      areas: hasArea && bounds === undefined ? finished.map((run) => close(shapeOf(run))) : [],
      bands: bounds === undefined ? [] : bandsOf(data, spans, bounds, position),
    };
  });
}

/** The line of what is usual, and the band above it; undefined without an expectation. */
export function expectedShape(data: PlotData, area: PlotArea): Record<'line' | 'band', string> | undefined {
  const { points = [] } = data.expected ?? {};
  if (points.length === 0) return undefined;
  const position = positionIn(data, area);
  const line = points.map(([at, usual]) => position(at, usual));
  return {
    line: line.join(' '),
    band: [...line, ...points.map(([at, , most]) => position(at, most)).reverse()].join(' '),
  };
}

/** Round values of the y axis, and how far down each is, from 0 to 1. */
export function yTicks(data: PlotData): readonly { readonly value: number; readonly down: number }[] {
  const [least, greatest] = yRange(data);
  const step = WHOLE_STEPS.find((each) => (greatest - least) / each <= TICKS_MAX) ?? 1;
  const first = Math.ceil(least / step);
  return Array.from({ length: Math.floor(greatest / step) - first + 1 }, (_, index) => {
    const value = (first + index) * step;
    const up = (value - least) / (greatest - least);
    return { value, down: data.y === 'rank' ? up : 1 - up };
  });
}

const TICKS_MAX = 4;

/** Distances between ticks of a y axis: values are counts and ranks, which have no fractions. */
export const WHOLE_STEPS: readonly number[] = Array.from({ length: 10 }, (_, power) => 10 ** power).flatMap((power) => [
  power,
  2 * power,
  5 * power,
]);

type Point = readonly [x: number, value: number];
/** Indexes of cells, both included. */
type Run = readonly [first: number, last: number];

/** Cells with values, without a gap. A bar is a run of its own. */
function runsOf({ kind }: PlotData, values: Values): Run[] {
  const runs: [first: number, last: number][] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const run = runs.at(-1);
    if (run?.[1] === index - 1 && kind !== 'bars') run[1] = index;
    else runs.push([index, index]);
  }
  return runs;
}

function lineOf({ kind }: PlotData, spans: readonly CellSpan[], [first, last]: Run, values: Values): Point[] {
  return spans.slice(first, last + 1).flatMap(({ begin, x, end }, index): Point[] => {
    const at = values[first + index] ?? 0;
    // A single value has the width of its cell, or nobody would see it.
    const isPoint = kind === 'line' && first < last;
    return isPoint
      ? [[x, at]]
      : [
          [begin, at],
          [end, at],
        ];
  });
}

/** False within a level part of a line, which needs its ends alone. */
function isCorner([, value]: Point, index: number, points: readonly Point[]): boolean {
  return points[index - 1]?.[1] !== value || points[index + 1]?.[1] !== value;
}

/** A line to the partial cell begins at the one before. */
function partialRuns(kind: PlotData['kind'], partial: number | undefined, values: Values): Run[] {
  if (partial === undefined || (values[partial] ?? null) === null) return [];
  const isJoined = kind === 'line' && partial > 0 && (values[partial - 1] ?? null) !== null;
  return [[isJoined ? partial - 1 : partial, partial]];
}

function bandsOf(
  data: PlotData,
  spans: readonly CellSpan[],
  { low, high }: NonNullable<PlotSeries['bounds']>,
  position: Position,
): string[] {
  return runsOf(data, high).map((run) => {
    const edge = [...lineOf(data, spans, run, high), ...lineOf(data, spans, run, low).reverse()];
    return edge.map(([x, value]) => position(x, value)).join(' ');
  });
}

/** Least and greatest value of the y axis: every value and bound is within. */
export function yRange({ y, series, expected }: PlotData): readonly [least: number, greatest: number] {
  const known = series.flatMap(({ values, bounds }) => [values, bounds?.low ?? [], bounds?.high ?? []]).flat();
  let [min, max] = [Infinity, -Infinity];
  for (const value of [...known, ...(expected?.points ?? []).flatMap(([, usual, most]) => [usual, most])]) {
    if (value === null) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  if (min > max) return [0, 1];
  if (y === 'zero') return [Math.min(0, min * MARGIN), Math.max(max * MARGIN, 1)];
  const margin = Math.max((max - min) * (MARGIN - 1), 0.5);
  // There is no rank 0.
  return [y === 'rank' ? Math.max(0.5, min - margin) : min - margin, max + margin];
}

const MARGIN = 1.05;

function pixel(value: number): string {
  return String(Math.round(value));
}

/** Where flags are drawn: from the left edge, at least a unit wide. */
export function flagShapes(
  data: PlotData,
  { left, width }: Pick<PlotArea, 'left' | 'width'>,
): readonly { readonly kind: PlotFlag['kind']; readonly x: number; readonly width: number }[] {
  const { cells, flags = [] } = data;
  const [from, end] = [cells.from, axisEnd(data)];
  const x = (at: number) => left + ((Math.min(Math.max(at, from), end) - from) / (end - from)) * width;
  return flags.map(({ kind, at, until = at }) => ({ kind, x: x(at), width: Math.max(1, x(until) - x(at)) }));
}
