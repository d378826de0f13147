import { formatRaceTime } from '@lobbystats/contracts/race-time';
import { dateText, instantText, rangeText, UTC, type Zone } from '../dates.ts';
import { cellBegin, cellCount, flagsOf, type Cells, type PlotData, type PlotSeries } from './plot-data.ts';

const DAY_MS = 86_400_000;
const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** At most two decimals; a time as `0:49.300`. */
export function formatValue(value: number, values?: PlotData['values']): string {
  return values === 'time' ? formatRaceTime(Math.round(value)) : numbers.format(value);
}

/** Name of some cells, without the zone: `Sat 31 Jan, 18:05`, `Sat 31 Jan, 18:00 to 19:00`, `Thu 1 Jan to Sat 31 Jan`, `0:49–0:50`. */
export function cellsText(data: PlotData, first: number, last = first, zone = UTC): string {
  return `${periodText(data.cells, first, last, { ...zone, suffix: '' })}${soFar(data.cells, last)}`;
}

function soFar(cells: Cells, index: number): string {
  return cells.isUnfinished === true && index === cellCount(cells) - 1 ? ' (so far)' : '';
}

function periodText(cells: Cells, first: number, last: number, zone: Zone): string {
  const { unit, edges } = cells;
  if (edges !== undefined) return `${edges[first] ?? ''}–${edges[last + 1] ?? ''}`;
  const begin = cellBegin(cells, first) * 1000;
  const newest = cells.until * 1000 - 1;
  // A slot and a change are instants, all else has an end.
  const end = (unit === 'slot' || unit === 'change' ? cellBegin(cells, last) : cellBegin(cells, last + 1)) * 1000;
  if (unit === 'day' || unit === 'week') {
    const days = [begin, end - DAY_MS].map((ms) => dateText(ms, UTC, newest));
    return [...new Set(days)].join(' to ');
  }
  return begin === end ? instantText(begin, zone, newest) : rangeText(begin, end, zone, newest);
}

/** Texts of a cell: `Sat 31 Jan, 10:00 to 11:00 UTC`, `Users online: 104 (80 to 135)`. */
export function describeCell(data: PlotData, index: number, zone = UTC): readonly [cell: string, ...values: string[]] {
  const { cells } = data;
  const [begin, until] = [cellBegin(cells, index) * 1000, cellBegin(cells, index + 1) * 1000];
  // The newest change may be as new as the plot.
  const lasts = cells.unit === 'change' && until > begin;
  return [
    (lasts ? rangeText(begin, until, zone, cells.until * 1000 - 1) : periodText(cells, index, index, zone)) +
      soFar(cells, index),
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
