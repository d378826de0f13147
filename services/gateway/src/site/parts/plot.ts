import { cellBegin, cellCount, hasValues, type PlotData, type PlotSeries } from '../../plots/plot-data.ts';
import { plotShapes } from '../../plots/plot-shape.ts';
import { boundsText, cellText, formatValue, hasTimeOfDay } from '../../plots/plot-texts.ts';
import { html, raw, type Html } from '../html.ts';
import { empty } from './part.ts';
import { formatMean } from './text.ts';

export interface Plot {
  /** Unique in the page. */
  readonly id: string;
  readonly caption: string;
  readonly data: PlotData;
  /** The same data as a file. */
  readonly csv?: string;
  /** Heading of the first column of its table. Default: the time or day. */
  readonly xHeading?: string;
}

const [WIDTH, HEIGHT] = [600, 180];
const AREA = { left: 0, top: 4, width: WIDTH, height: HEIGHT - 8 };
/** Rows of the table below a plot: its cells are summarized to about as many. */
const ROWS = 31;

/**
 * A plot: a picture and a table without JavaScript. With it, the browser draws over the picture. The table is what
 * screen readers read.
 */
export function plot(given: Plot): Html {
  const { id, caption, data, csv } = given;
  if (!hasValues(data))
    return html`<figure class="plot" id="${id}">
      <figcaption>${caption}</figcaption>
      ${empty('No data in this period')}
    </figure>`;
  return html`<figure class="plot" id="${id}" data-plot>
    <figcaption>${caption}${legend(data.series)}</figcaption>
    <div class="canvas">${picture(data)}</div>
    <script type="application/json">
      ${raw(embeddedJson(data))}
    </script>
    <details>
      <summary>${caption} as a table</summary>
      ${tableOf(given)} ${csv !== undefined && html`<p><a href="${csv}">All of it as CSV</a></p>`}
    </details>
  </figure>`;
}

function legend(series: readonly PlotSeries[]): Html | '' {
  const hasBounds = series.some(({ bounds }) => bounds !== undefined);
  if (series.length < 2 && !hasBounds) return '';
  return html`<ul class="legend">
    ${series.map(({ label }, index) => html`<li class="series-${index + 1}"><bdi>${label}</bdi></li>`)}
    ${hasBounds && html`<li class="series-1 bounds">lowest to highest count</li>`}
  </ul>`;
}

/** Inside `script`, `<` would end the element. */
function embeddedJson(data: PlotData): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

function picture(data: PlotData): Html {
  const shapes = plotShapes(data, AREA).map(({ lines, unfinished, areas, bands }, index) => {
    const drawn = [
      ...[...bands, ...areas].map((points) => `<polygon points="${points}"/>`),
      ...lines.map((points) => `<polyline points="${points}"/>`),
      ...unfinished.map((points) => `<polyline class="unfinished" points="${points}"/>`),
    ];
    return html`<g class="series-${index + 1}">${raw(drawn.join(''))}</g>`;
  });
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${shapes}</svg>`;
}

function tableOf({ id, caption, data, xHeading }: Plot): Html {
  const { cells, series } = data;
  const size = Math.max(1, Math.ceil(cellCount(cells) / ROWS));
  // The last row ends with the last cell.
  const ends = Array.from({ length: Math.ceil(cellCount(cells) / size) }, (_, row) => cellCount(cells) - row * size);
  const rows = ends.map((end) => ({ start: Math.max(0, end - size), end }));
  const heading = xHeading ?? (hasTimeOfDay(cells) ? 'Time (UTC)' : 'Day (UTC)');
  const formats = series.map(({ values }) => (values.every(isWhole) && size === 1 ? formatValue : formatMean));
  return html`${size > 1 && html`<p class="hint">A row is of ${size} values: their mean, and the lowest to the highest.</p>`}
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
            ({ start, end }) =>
              html`<tr id="${id}-${cellBegin(cells, start)}">
                <th scope="row">${rowText(data, start, end - 1)}</th>
                ${series.map((one, index) => html`<td class="number">${summary(one, start, end, formats[index] ?? formatMean)}</td>`)}
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`;
}

function isWhole(value: number | null): boolean {
  return value === null || Number.isInteger(value);
}

function rowText(data: PlotData, first: number, last: number): string {
  return first === last ? cellText(data, first) : `${cellText(data, first)} to ${cellText(data, last)}`;
}

/** The value of a cell, or the mean of several with their bounds. */
function summary(
  { values, bounds }: PlotSeries,
  start: number,
  end: number,
  format: (value: number) => string,
): string {
  const known = values.slice(start, end).filter((value) => value !== null);
  if (known.length === 0) return '–';
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  if (bounds === undefined && end - start === 1) return format(mean);
  const [lows, highs] = [bounds?.low ?? values, bounds?.high ?? values].map((all) =>
    all.slice(start, end).filter((value) => value !== null),
  ) as [number[], number[]];
  return format(mean) + boundsText(Math.min(...lows), Math.max(...highs));
}
