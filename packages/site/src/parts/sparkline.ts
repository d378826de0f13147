import type { PlotData } from '../plots/plot-data.ts';
import { plotShapes } from '../plots/plot-shape.ts';
import { html, raw, type Html } from '../html.ts';

const AREA = { left: 0, top: 10, width: 960, height: 220 };

/** A small picture of a line, for a row of a table. Its numbers stand beside it. */
export function sparkline(data: PlotData | undefined): Html {
  const shapes = data === undefined ? [] : plotShapes(data, AREA);
  const lines = shapes.flatMap((shape) => [...shape.lines, ...shape.unfinished]);
  return html`<svg
    class="sparkline"
    viewBox="0 0 960 240"
    width="96"
    height="24"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${lines.map((points) => raw(`<polyline points="${points}"/>`))}
  </svg>`;
}
