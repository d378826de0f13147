import { formatRaceTime } from '@lobbystats/contracts/race-time';
import { clockText, dateText, instantText, UTC, type Zone } from '../dates.ts';
import {
  cellBegin,
  cellCount,
  flagsOf,
  hasTimeOfDay,
  type Cells,
  type PlotData,
  type PlotSeries,
} from './plot-data.ts';

const DAY_MS = 86_400_000;
const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** At most two decimals; a time as `0:49.300`. */
export function formatValue(value: number, values?: PlotData['values']): string {
  return values === 'time' ? formatRaceTime(Math.round(value)) : numbers.format(value);
}

/** Name of some cells: `Sat 31 Jan, 18:05`, `Sat 31 Jan, 18:00–19:00`, `Thu 1 Jan to Sat 31 Jan`, `0:49–0:50`. */
export function cellsText(data: PlotData, first: number, last = first, zone = UTC): string {
  return `${periodText(data.cells, first, last, zone)}${soFar(data.cells, last)}`;
}

function soFar(cells: Cells, index: number): string {
  return cells.isUnfinished === true && index === cellCount(cells) - 1 ? ' (so far)' : '';
}

function periodText(cells: Cells, first: number, last: number, zone: Zone): string {
  const { unit, edges } = cells;
  if (edges !== undefined) return `${edges[first] ?? ''}–${edges[last + 1] ?? ''}`;
  const begin = cellBegin(cells, first) * 1000;
  const isByDay = unit === 'day' || unit === 'week';
  const newest = cells.until * 1000 - 1;
  // A slot and a change are instants, all else has an end.
  const end = (unit === 'slot' || unit === 'change' ? cellBegin(cells, last) : cellBegin(cells, last + 1)) * 1000;
  if (isByDay) return rangeText([dateText(begin, UTC, newest)], [dateText(end - DAY_MS, UTC, newest)]);
  const [from, until] = [begin, end].map((ms) => [dateText(ms, zone, newest), clockText(ms, zone)]) as [
    string[],
    string[],
  ];
  return rangeText(from, until, first === last);
}

/** The date of the end is left out if it is that of the begin. @param isShort leaves it out whatever it is */
function rangeText(begin: readonly string[], end: readonly string[], isShort = false): string {
  const [from, to] = [begin.join(', '), end.join(', ')];
  if (from === to) return from;
  if (isShort) return `${from}–${end.at(-1) ?? ''}`;
  return `${from} to ${begin[0] === end[0] ? (end.at(-1) ?? '') : to}`;
}

/** Texts of a cell: `Sat 31 Jan, 10:00–11:00 UTC`, `Users online: 104 (80 to 135)`. */
export function describeCell(data: PlotData, index: number, zone = UTC): readonly [cell: string, ...values: string[]] {
  const { cells } = data;
  const until = cellBegin(cells, index + 1) * 1000;
  // The newest change may be as new as the plot.
  const lasts = cells.unit === 'change' && until > cellBegin(cells, index) * 1000;
  const end = lasts ? ` to ${instantText(until, { ...zone, suffix: '' }, cells.until * 1000 - 1)}` : '';
  return [
    periodText(cells, index, index, zone) + end + (hasTimeOfDay(cells) ? zone.suffix : '') + soFar(cells, index),
    ...data.series.map((series) => `${series.label}: ${valueText(series, index, data.values)}`),
    ...new Set(flagsOf(data, index).map(({ kind, text }) => `${kind}: ${text}`)),
  ];
}

/** `Usual: about 45, up to 60`: of the nearest hour; undefined without an expectation. */
export function expectedText({ expected }: PlotData, x: number): string | undefined {
  const [first, ...rest] = expected?.points ?? [];
  if (first === undefined) return undefined;
  const [, usual, most] = rest.reduce(
    (best, one) => (Math.abs(one[0] - x) < Math.abs(best[0] - x) ? one : best),
    first,
  );
  return `Usual: about ${formatValue(Math.round(usual))}, up to ${formatValue(most)}`;
}

function valueText({ values, bounds, notes }: PlotSeries, index: number, kind: PlotData['values']): string {
  const value = values[index] ?? null;
  if (value === null) return 'no data';
  return (
    formatValue(value, kind) +
    noteText(notes, index) +
    boundsText(bounds?.low[index] ?? null, bounds?.high[index] ?? null)
  );
}

/** `, Ember Fox`; nothing without notes. */
export function noteText(notes: PlotSeries['notes'], index: number): string {
  return notes === undefined ? '' : `, ${notes[index] ?? ''}`;
}

/** ` (80 to 135)`; nothing without bounds. */
export function boundsText(low: number | null, high: number | null): string {
  return low === null || high === null ? '' : ` (${formatValue(low)} to ${formatValue(high)})`;
}
