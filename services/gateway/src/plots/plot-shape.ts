export interface Point {
  /** Epoch seconds. */
  readonly at: number;
  readonly value: number;
}

/** In pixels, or in units of a view box. */
export interface PlotArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PlotRun {
  /** SVG coordinates of the line. */
  readonly line: string;
  /** The same, closed along the bottom. */
  readonly area: string;
}

/**
 * Lines over a scale that begins at 0, one for each run of points without a gap.
 *
 * @param points ascending by time
 * @param gapSeconds the shortest time without a point that breaks the line
 * @param peak the largest value of the scale. Default: that of the points
 */
export function plotRuns(
  points: readonly Point[],
  { left, top, width, height }: PlotArea,
  gapSeconds: number,
  peak = Math.max(1, ...points.map(({ value }) => value)),
): PlotRun[] {
  const first = points[0]?.at ?? 0;
  const span = Math.max((points.at(-1)?.at ?? 0) - first, 1);
  const bottom = top + height;
  const position = ({ at, value }: Point) =>
    `${pixel(left + (width * (at - first)) / span)},${pixel(bottom - (height * value) / peak)}`;
  return withoutGaps(points, gapSeconds).map((run) => {
    const line = run.map(position).join(' ');
    const [from, to] = [run[0], run.at(-1)].map((point) => position({ at: point?.at ?? 0, value: 0 }));
    return { line, area: `${from} ${line} ${to}` };
  });
}

function withoutGaps(points: readonly Point[], gapSeconds: number): Point[][] {
  const runs: Point[][] = [];
  for (const point of points) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run === undefined || before === undefined || point.at - before.at > gapSeconds) runs.push([point]);
    else run.push(point);
  }
  return runs;
}

function pixel(value: number): string {
  return value.toFixed(1);
}
