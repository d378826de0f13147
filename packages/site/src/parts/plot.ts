import { formatTimestamp } from '@lobbystats/contracts';
import { cellCount, hasTimeOfDay, hasValues, type PlotData, type PlotFlag } from '../plots/plot-data.ts';
import { expectedShape, flagShapes, plotShapes, yTicks } from '../plots/plot-shape.ts';
import { cellsText, formatValue } from '../plots/plot-texts.ts';
import { html, raw, type Html } from '../html.ts';
import { empty } from './part.ts';
import { plotTable, type TabledPlot } from './plot-table.ts';
import { name, time, timeRange } from './text.ts';

export interface Plot extends TabledPlot {
  /** The same data as a file. */
  readonly csv?: string;
}

const [WIDTH, HEIGHT] = [600, 180];
const AREA = { left: 0, top: 0, width: WIDTH, height: HEIGHT };

/**
 * A plot: a picture and a table without JavaScript. With it, the browser draws over the picture. The table is what
 * screen readers read.
 */
export function plot(given: Plot): Html {
  const { id, caption, data, csv } = given;
  const [isKnown, isZoned] = [hasValues(data), hasTimeOfDay(data.cells)];
  if (!isKnown)
    return html`<figure class="plot" id="${id}">
      <figcaption>${caption}</figcaption>
      ${empty('No data in this period')}
    </figure>`;
  return html`<figure class="plot" id="${id}" data-plot>
    <figcaption>
      ${caption}${isZoned && ZONE}${data.y === 'fit' && html`<span> · the axis does not begin at 0</span>`}${legend(data)}
    </figcaption>
    <div class="canvas">${picture(data)}</div>
    <script type="application/json">
      ${raw(embeddedJson(data))}
    </script>
    ${flagList(data.flags ?? [])}
    <details>
      <summary>${caption} as a table</summary>
      ${plotTable(given)} ${csv !== undefined && html`<p><a href="${csv}">All of it as CSV</a></p>`}
    </details>
  </figure>`;
}

/** Times of the axis are of the reader's zone, if they have chosen it. Days are UTC. */
const ZONE = html`<span class="zone"> · <span data-zone>UTC</span></span>`;

function legend({ series, expected }: PlotData): Html | '' {
  const hasBounds = series.some(({ bounds }) => bounds !== undefined);
  if (series.length < 2 && !hasBounds && expected === undefined) return '';
  return html`<ul class="legend">
    ${series.map(({ label }, index) => html`<li class="series-${index + 1}"><bdi>${label}</bdi></li>`)}
    ${hasBounds && html`<li class="series-1 bounds">lowest to highest count</li>`}
    ${expected && html`<li class="expected">${expected.label}</li>`}
  </ul>`;
}

/** The flags of the plot as texts, newest first. */
function flagList(flags: readonly PlotFlag[]): Html | '' {
  if (flags.length === 0) return '';
  return html`<ul class="flags">
    ${flags
      .toSorted((a, b) => b.at - a.at)
      .map(
        ({ kind, at, until, text }) =>
          html`<li class="flag-${kind}">
            ${kind}: ${name(text)},
            ${until === undefined ? time(formatTimestamp(at), 'exact') : timeRange(formatTimestamp(at), formatTimestamp(until))}
          </li> `,
      )}
  </ul>`;
}

/** Inside `script`, `<` would end the element. */
function embeddedJson(data: PlotData): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

/** The shapes fill their box, whatever its shape is; the texts of the axes stand beside them and are not stretched. */
function picture(data: PlotData): Html {
  const marks = flagShapes(data, AREA);
  const expected = expectedShape(data, AREA);
  const shapes = plotShapes(data, AREA).map(({ lines, unfinished, areas, bands }, index) => {
    const drawn = [
      ...[...bands, ...areas].map((points) => `<polygon points="${points}"/>`),
      ...lines.map((points) => `<polyline points="${points}"/>`),
      ...unfinished.map((points) => `<polyline class="unfinished" points="${points}"/>`),
    ];
    return html`<g class="series-${index + 1}">${raw(drawn.join(''))}</g>`;
  });
  const flags = marks.map(
    ({ kind, x, width }) =>
      `<rect class="flag-${kind}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="${HEIGHT}"/>`,
  );
  const ticks = yTicks(data).map(({ value, down }) => {
    const y = `${(100 * down).toFixed(1)}%`;
    return html`<line x2="100%" y1="${y}" y2="${y}" /><text y="${y}" dy="-3">${formatValue(value, data.values)}</text>`;
  });
  return html`<svg aria-hidden="true">
      ${ticks}
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
        ${raw(flags.join(''))}${shapes}${
          expected &&
          html`<g class="expected"><polygon points="${expected.band}" /><polyline points="${expected.line}" /></g>`
        }
      </svg>
    </svg>
    <p class="ends"><span>${cellsText(data, 0)}</span><span>${cellsText(data, cellCount(data.cells) - 1)}</span></p>`;
}
