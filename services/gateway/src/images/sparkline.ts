import { SLOT_SECONDS } from '@lobbystats/contracts';
import { xml, type Xml } from '../feeds/xml.ts';

export interface Point {
  /** Epoch seconds. */
  readonly at: number;
  readonly value: number;
}

/** In pixels. */
export interface PlotArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Missing slots leave a gap. */
const GAP_SECONDS = 2 * SLOT_SECONDS;

/** A line over an area that begins at 0. @param points ascending by time */
export function sparkline(points: readonly Point[], area: PlotArea, color: string): Xml {
  const { left, top, width, height } = area;
  const first = points[0]?.at ?? 0;
  const span = Math.max((points.at(-1)?.at ?? 0) - first, 1);
  const peak = Math.max(1, ...points.map(({ value }) => value));
  const bottom = top + height;
  const position = ({ at, value }: Point) =>
    `${pixel(left + (width * (at - first)) / span)},${pixel(bottom - (height * value) / peak)}`;
  const lines = withoutGaps(points).map((run) => {
    const line = run.map(position).join(' ');
    const [from, to] = [run[0], run.at(-1)].map((point) => position({ at: point?.at ?? 0, value: 0 }));
    return xml`<polygon points="${from} ${line} ${to}" fill="${color}" fill-opacity="0.18"/>
<polyline points="${line}" fill="none" stroke="${color}" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"/>`;
  });
  return xml`<line x1="${left}" y1="${bottom}" x2="${left + width}" y2="${bottom}" stroke="#2d363b" stroke-width="2"/>${lines}`;
}

function withoutGaps(points: readonly Point[]): Point[][] {
  const runs: Point[][] = [];
  for (const point of points) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run === undefined || before === undefined || point.at - before.at > GAP_SECONDS) runs.push([point]);
    else run.push(point);
  }
  return runs;
}

function pixel(value: number): string {
  return value.toFixed(1);
}
