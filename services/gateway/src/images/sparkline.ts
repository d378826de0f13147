import { SLOT_SECONDS } from '@lobbystats/contracts';
import { xml, type Xml } from '../feeds/xml.ts';
import { plotRuns, type PlotArea, type Point } from '../plots/plot-shape.ts';

/** Missing slots leave a gap. */
const GAP_SECONDS = 2 * SLOT_SECONDS;

/** A line over an area that begins at 0. @param points ascending by time */
export function sparkline(points: readonly Point[], area: PlotArea, color: string): Xml {
  const { left, top, width, height } = area;
  const bottom = top + height;
  const lines = plotRuns(points, area, GAP_SECONDS).map(
    (run) => xml`<polygon points="${run.area}" fill="${color}" fill-opacity="0.18"/>
<polyline points="${run.line}" fill="none" stroke="${color}" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"/>`,
  );
  return xml`<line x1="${left}" y1="${bottom}" x2="${left + width}" y2="${bottom}" stroke="#2d363b" stroke-width="2"/>${lines}`;
}
