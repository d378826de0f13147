import { plotRuns, type Point } from '../../../plots/plot-shape.ts';
import { html, raw, type Html } from '../../html.ts';

const AREA = { left: 0, top: 1, width: 96, height: 22 };

/** A small picture of a line, for a row of a table. Its numbers stand beside it. @param step in seconds */
export function sparkline(points: readonly Point[], step: number): Html {
  const runs = plotRuns(points, AREA, 1.5 * step).map((run) => raw(`<polyline points="${run.line}"/>`));
  return html`<svg class="sparkline" viewBox="0 0 96 24" width="96" height="24" aria-hidden="true">${runs}</svg>`;
}
