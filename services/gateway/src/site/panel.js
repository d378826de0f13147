/** One chart in SVG: a line over an area. The time axis is given, so that charts can share it. */

import { svg } from './dom.js';
import { formatClock, formatDay, formatTick } from './format.js';
import { chooseHours, chooseTicks, DAY, findGaps, splitAtGaps } from './series.js';

/** @typedef {import('./series.js').Point} Point */
/** @typedef {{ span: import('./series.js').Span, left: number, right: number }} Axis horizontal pixels of the span */

/** @param {Axis} axis @param {number} at */
export const toX = ({ span, left, right }, at) => left + ((at - span.from) / (span.to - span.from)) * (right - left);

/**
 * @param {Element} target the svg element
 * @param {Point[]} points ascending, inside the span
 * @param {Axis} axis
 * @param {number} height
 * @param {boolean} labelled whether the hours stand below
 */
export function drawPanel(target, points, axis, height, labelled) {
  const { left, right } = axis;
  const top = 10;
  const bottom = height - (labelled ? 24 : 6);
  const ticks = chooseTicks(Math.max(0, ...points.map(({ count }) => count)), 4);
  const toY = (/** @type {number} */ count) => bottom - (count / (ticks.at(-1) ?? 1)) * (bottom - top);
  target.setAttribute('viewBox', `0 0 ${right + 8} ${height}`);
  target.replaceChildren(
    ...findGaps(points, axis.span).map(({ from, to }) => {
      const x = toX(axis, from);
      return svg('rect', { class: 'gap', x, y: top, width: toX(axis, to) - x, height: bottom - top });
    }),
    ...ticks.flatMap((tick) => [
      svg('path', { class: tick === 0 ? 'base' : 'grid', d: `M${left},${toY(tick)}H${right}` }),
      svg('text', { class: 'tick', x: left - 8, y: toY(tick) + 4 }, formatTick(tick)),
    ]),
    ...chooseHours(axis.span, (right - left) / 56).flatMap((at) => {
      const x = toX(axis, at);
      const mark = svg('path', { class: 'grid', d: `M${x},${top}V${bottom}` });
      if (!labelled || x < left + 16 || x > right - 10) return [mark];
      const [name, text] = at % DAY === 0 ? ['hour day', formatDay(at)] : ['hour', formatClock(at)];
      return [mark, svg('text', { class: name, x, y: bottom + 18 }, text)];
    }),
    ...splitAtGaps(points).flatMap((run) => {
      const path = run.map(({ at, count }) => `${toX(axis, at).toFixed(1)},${toY(count).toFixed(1)}`).join('L');
      // A run of one point has no length: its round line caps make it a dot.
      const line = svg('path', { class: 'line', d: `M${path}h0` });
      return [svg('path', { class: 'area', d: `M${path}V${bottom}H${path.split(',', 1)}Z` }), line];
    }),
  );
}
