import { formatInstant } from '@lobbystats/contracts';
import { plotRuns } from '../../plots/plot-shape.ts';
import { html, raw, type Html } from '../html.ts';
import { empty } from './part.ts';
import { binText, type PlotData, type PlotSeries } from '../plot-data.ts';
import { formatMean } from './text.ts';

export interface Plot {
  /** Unique in the page. */
  readonly id: string;
  readonly caption: string;
  readonly data: PlotData;
  /** Seconds or units between points; a longer distance is a gap. */
  readonly step: number;
  /** The same data as a file. */
  readonly csv?: string;
  /** Heading of the first column of its table. */
  readonly xHeading?: string;
  /** Text of an x in the table. Default: the time, UTC. */
  readonly formatX?: (x: number) => string;
}

const [WIDTH, HEIGHT] = [600, 180];
/** Rows of the table below a plot: its points are averaged to about as many. */
const ROWS = 31;

/**
 * A plot: a picture and a table without JavaScript. With it, the browser draws over the picture. The table is what
 * screen readers read.
 */
export function plot(given: Plot): Html {
  const { id, caption, data, csv } = given;
  if (data.xs.length === 0)
    return html`<figure class="plot" id="${id}">
      <figcaption>${caption}</figcaption>
      ${empty('No data yet')}
    </figure>`;
  return html`<figure class="plot" id="${id}" data-plot>
    <figcaption>${caption}${legend(data.series)}</figcaption>
    <div class="canvas">${picture(given)}</div>
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
  if (series.length < 2) return '';
  return html`<ul class="legend">
    ${series.map(({ label }, index) => html`<li class="series-${index + 1}"><bdi>${label}</bdi></li>`)}
  </ul>`;
}

/** Inside `script`, `<` would end the element. */
function embeddedJson(data: PlotData): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

function picture({ data, step }: Plot): Html {
  const [from = 0, until = 0] = [data.xs[0], data.xs.at(-1)];
  const xOf = (at: number) => (WIDTH * (at - from)) / Math.max(until - from, 1);
  const peak = Math.max(1, ...data.series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  if (data.bins !== undefined) return binPicture(data, peak);
  const lines = data.series.map(({ values }, index) => {
    const points = data.xs.flatMap((at, i) => {
      const value = values[i];
      return value === null || value === undefined
        ? []
        : [{ at, value: data.isInverted === true ? peak - value : value }];
    });
    // A series may begin later than others, or end earlier.
    const [left, right] = [xOf(points[0]?.at ?? from), xOf(points.at(-1)?.at ?? until)];
    const area = { left, top: 4, width: right - left, height: HEIGHT - 8 };
    return html`<g class="series-${index + 1}"
      >${plotRuns(points, area, 1.5 * step, peak).map((run) =>
        raw(`<polygon points="${run.area}"/><polyline points="${run.line}"/>`),
      )}</g
    >`;
  });
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${lines}</svg>`;
}

/** A bar for each bin of the first series. */
function binPicture({ series }: PlotData, peak: number): Html {
  const values = series[0]?.values ?? [];
  const width = WIDTH / Math.max(1, values.length);
  const bars = values.map((value, index) => {
    const height = (HEIGHT * (value ?? 0)) / peak;
    const [x, y] = [(index * width).toFixed(1), (HEIGHT - height).toFixed(1)];
    return raw(`<rect x="${x}" y="${y}" width="${(0.95 * width).toFixed(1)}" height="${height.toFixed(1)}"/>`);
  });
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    <g class="series-1">${bars}</g>
  </svg>`;
}

function tableOf({ id, caption, data, xHeading = 'Time (UTC)', formatX = formatMinute }: Plot): Html {
  const size = Math.max(1, Math.ceil(data.xs.length / ROWS));
  const ascending = data.xs.flatMap((x, index) => (index % size === 0 ? [{ x, index }] : []));
  const starts = data.axis === 'time' ? ascending.toReversed() : ascending;
  const textOf = (x: number, index: number) => (data.bins === undefined ? formatX(x) : binText(data.bins, index));
  const averaged = size > 1 ? html`<p class="hint">Each row is the mean of ${size} values.</p>` : '';
  return html`${averaged}
    <div class="table" role="group" aria-label="${caption}" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">${xHeading}</th>
            ${data.series.map(({ label }) => html`<th scope="col" class="number"><bdi>${label}</bdi></th>`)}
          </tr>
        </thead>
        <tbody>
          ${starts.map(
            ({ x, index }) =>
              html`<tr id="${id}-${x}">
                <th scope="row">${textOf(x, index)}</th>
                ${data.series.map(({ values }) => html`<td class="number">${formatMean(mean(values.slice(index, index + size)))}</td>`)}
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`;
}

function formatMinute(seconds: number): string {
  return formatInstant(seconds).slice(0, 16).replace('T', ' ');
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
