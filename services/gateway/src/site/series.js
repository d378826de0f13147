/** The data of the charts, without drawing. Instants are epoch seconds. */

export const SLOT = 300;
export const DAY = 86_400;

/** @typedef {{ at: number, count: number }} Point a snapshot of the slot `at` */
/** @typedef {{ from: number, to: number }} Span both ends belong to it */

/**
 * The 288 slots up to the current one, not to the newest snapshot: missing new data shows as a gap.
 * @param {number} now
 * @returns {Span}
 */
export function dayUntil(now) {
  const to = Math.floor(now / SLOT) * SLOT;
  return { from: to - DAY + SLOT, to };
}

/**
 * Splits ascending points wherever a slot is missing: a line joins only the points of one run.
 * @param {Point[]} points
 */
export function splitAtGaps(points) {
  /** @type {Point[][]} */
  const runs = [];
  points.forEach((point, index) => {
    if (point.at - (points[index - 1]?.at ?? -Infinity) > SLOT) runs.push([]);
    runs.at(-1)?.push(point);
  });
  return runs;
}

/**
 * Returns the intervals without points. At the end, two slots may not be published yet.
 * @param {Point[]} points ascending
 * @param {Span} span
 * @returns {Span[]}
 */
export function findGaps(points, span) {
  const edges = [span.from, ...points.map(({ at }) => at), span.to];
  return edges
    .map((to, index) => ({ from: edges[index - 1] ?? to, to }))
    .filter(({ from, to }, index) => to - from > (index === edges.length - 1 ? 3 * SLOT : SLOT));
}

/** Returns the highest or lowest point; the first of equal ones. @param {Point[]} points @param {1 | -1} sign 1 for the highest, -1 for the lowest */
export const findExtreme = (points, sign) =>
  points.reduce((best, point) => (sign * (point.count - best.count) > 0 ? point : best));

/** Round whole values from 0 to the maximum or just above. @param {number} maximum @param {number} wanted steps */
export function chooseTicks(maximum, wanted) {
  const least = Math.max(maximum, 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(1, power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10));
  return Array.from({ length: Math.ceil(Math.max(maximum, 1) / step) + 1 }, (_, index) => index * step);
}

/** Round hours, at most `room` of them. @param {Span} span @param {number} room */
export function chooseHours({ from, to }, room) {
  const step = 3600 * ([1, 2, 3, 4, 6].find((hours) => 24 / hours <= room) ?? 12);
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => first + index * step);
}
