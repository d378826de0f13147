import type uPlot from 'uplot';
import { cellSpans, partialCell, type PlotData, type PlotSeries } from '../plots/plot-data.ts';

type Values = readonly (number | null)[];

/** Parts of a series that uPlot draws from a column of their own. */
type ColumnKind = 'low' | 'high' | 'value' | 'unfinished';

export interface Column {
  readonly kind: ColumnKind;
  /** Index of its series. */
  readonly series: number;
  readonly values: Values;
}

/** The columns after that of the x axis. */
export function columnsOf(data: PlotData): Column[] {
  return data.series.flatMap((series, index) =>
    seriesColumns(data, series).map((each) => ({ ...each, series: index })),
  );
}

/** Data of uPlot. */
export function plotColumns(data: PlotData): uPlot.AlignedData {
  const { cells } = data;
  const xs = cellSpans(cells).map(({ x }) => x);
  const columns = columnsOf(data).map(({ values }) => values);
  if (data.kind !== 'steps') return [xs, ...columns.map((values) => [...values])];
  // The last one lasts until the end.
  return [[...xs, cells.until], ...columns.map((values) => [...values, values.at(-1) ?? null])];
}

/** Equal for plots that differ in their numbers alone. */
export function plotShape(data: PlotData): string {
  const columns = columnsOf(data).map(({ kind }) => kind);
  return JSON.stringify([data.kind, data.y, data.cells.unit, columns, data.series.map(({ label }) => label)]);
}

function seriesColumns({ kind, cells }: PlotData, { values, bounds }: PlotSeries): Omit<Column, 'series'>[] {
  const columns: Omit<Column, 'series'>[] =
    bounds === undefined
      ? []
      : [
          { kind: 'low', values: bounds.low },
          { kind: 'high', values: bounds.high },
        ];
  const last = partialCell(cells);
  if (last === undefined) return [...columns, { kind: 'value', values }];
  // A line to the last value begins at the one before.
  const first = kind === 'line' ? last - 1 : last;
  return [
    ...columns,
    { kind: 'value', values: values.with(last, null) },
    { kind: 'unfinished', values: values.map((value, index) => (index < first ? null : value)) },
  ];
}
