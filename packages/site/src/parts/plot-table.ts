import {
  cellBegin,
  cellCount,
  hasTimeOfDay,
  rowSize,
  TABLE_ROWS,
  tableRows,
  type PlotData,
  type PlotSeries,
} from '../plots/plot-data.ts';
import { boundsText, cellsText, formatValue, noteText } from '../plots/plot-texts.ts';
import { html, type Html } from '../html.ts';
import { formatMean } from './text.ts';

export interface TabledPlot {
  /** Unique in the page. */
  readonly id: string;
  readonly caption: string;
  readonly data: PlotData;
  /** Heading of the first column. Default: the time or day. */
  readonly xHeading?: string;
}

/** The table below a plot, newest first. It summarizes cells; of changes, which last differently long, it has the newest. */
export function plotTable({ id, caption, data, xHeading }: TabledPlot): Html {
  const { cells, series } = data;
  const count = cellCount(cells);
  const isOfChanges = cells.unit === 'change';
  const [size, cellsOfRows] = [rowSize(cells), tableRows(data)];
  const heading = xHeading ?? (hasTimeOfDay(cells) ? html`Time (<span data-zone>UTC</span>)` : 'Day (UTC)');
  const formats = series.map(({ values }) =>
    values.every(isWhole) && size === 1 ? (value: number) => formatValue(value, data.values) : formatMean,
  );
  const rows = cellsOfRows.map(({ start, end }) => ({
    begin: cellBegin(cells, start),
    values: series.map((one, index) => summary(one, start, end, formats[index] ?? formatMean)),
    text: cellsText(data, start, end - 1),
  }));
  return html`${size > 1 && html`<p class="hint">A row is of ${size} values: their average, and the lowest to the highest.</p>`}
    ${isOfChanges && count > TABLE_ROWS && html`<p class="hint">The newest ${TABLE_ROWS} of ${count}.</p>`}
    <div class="table" role="group" aria-label="${caption}" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">${heading}</th>
            ${series.map(({ label }) => html`<th scope="col" class="number"><bdi>${label}</bdi></th>`)}
          </tr>
        </thead>
        <tbody>
          ${(cells.unit === 'bin' ? rows.toReversed() : rows).map(
            ({ begin, values, text }) =>
              html`<tr id="${id}-${begin}">
                <th scope="row">${text}</th>
                ${values.map((value) => html`<td class="number">${value}</td>`)}
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`;
}

function isWhole(value: number | null): boolean {
  return value === null || Number.isInteger(value);
}

/** The value of a cell, or the mean of several with their bounds. */
function summary(
  { values, bounds, notes }: PlotSeries,
  start: number,
  end: number,
  format: (value: number) => string,
): string {
  const known = values.slice(start, end).filter((value) => value !== null);
  if (known.length === 0) return '–';
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  if (bounds === undefined && end - start === 1) return format(mean) + noteText(notes, start);
  const [lows, highs] = [bounds?.low ?? values, bounds?.high ?? values].map((all) =>
    all.slice(start, end).filter((value) => value !== null),
  ) as [number[], number[]];
  return format(mean) + boundsText(Math.min(...lows), Math.max(...highs));
}
