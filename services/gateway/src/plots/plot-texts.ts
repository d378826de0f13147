import { cellBegin, isUnfinished, type Cells, type PlotData, type PlotSeries } from './plot-data.ts';

const DAY_MS = 86_400_000;
const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** At most two decimals. */
export function formatValue(value: number): string {
  return numbers.format(value);
}

/** Name of a cell: `2026-01-31 18:05`, `2026-01-31 18:00–19:00`, `2026-01-31`, `0:49–0:50`. */
export function cellText(data: PlotData, index: number): string {
  return `${periodText(data.cells, index)}${isUnfinished(data.cells, index) ? ' (so far)' : ''}`;
}

/** Whether names of cells are times of a day, which need their zone. */
export function hasTimeOfDay({ unit }: Cells): boolean {
  return unit === 'slot' || unit === 'bucket' || unit === 'change';
}

function periodText(cells: Cells, index: number): string {
  const { unit, edges } = cells;
  if (edges !== undefined) return `${edges[index] ?? ''}–${edges[index + 1] ?? ''}`;
  const [begin, end] = [index, index + 1].map((each) => cellBegin(cells, each) * 1000) as [number, number];
  const [date, minute] = minuteText(begin);
  if (unit === 'day') return date;
  if (unit === 'week') return `${date} to ${minuteText(end - DAY_MS)[0]}`;
  return unit === 'bucket' ? `${date} ${minute}–${minuteText(end)[1]}` : `${date} ${minute}`;
}

/** Texts of a cell: `2026-01-31 10:00–11:00 UTC`, `Users online: 104 (80 to 135)`. */
export function describeCell(data: PlotData, index: number): readonly [cell: string, ...values: string[]] {
  const { cells } = data;
  const end = cells.unit === 'change' ? ` to ${minuteText(cellBegin(cells, index + 1) * 1000).join(' ')}` : '';
  const zone = hasTimeOfDay(cells) ? ' UTC' : '';
  const so = isUnfinished(cells, index) ? ' (so far)' : '';
  return [
    periodText(cells, index) + end + zone + so,
    ...data.series.map((series) => `${series.label}: ${valueText(series, index)}`),
  ];
}

function valueText({ values, bounds }: PlotSeries, index: number): string {
  const value = values[index] ?? null;
  if (value === null) return 'no data';
  return formatValue(value) + boundsText(bounds?.low[index] ?? null, bounds?.high[index] ?? null);
}

/** ` (80 to 135)`; nothing without bounds. */
export function boundsText(low: number | null, high: number | null): string {
  return low === null || high === null ? '' : ` (${formatValue(low)} to ${formatValue(high)})`;
}

function minuteText(ms: number): [date: string, minute: string] {
  const iso = new Date(ms).toISOString();
  return [iso.slice(0, 10), iso.slice(11, 16)];
}
