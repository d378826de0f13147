import { type PlotData, plotShapes, type PlotArea } from '@lobbystats/site';
import { xml, type Xml } from '../feeds/xml.ts';

/** Lines over areas. */
export function sparkline(data: PlotData, area: PlotArea, color: string): Xml {
  const { left, top, width, height } = area;
  const bottom = top + height;
  const shapes = plotShapes(data, area).map(
    ({
      areas,
      lines,
    }) => xml`${areas.map((points) => xml`<polygon points="${points}" fill="${color}" fill-opacity="0.18"/>`)}
${lines.map((points) => xml`<polyline points="${points}" fill="none" stroke="${color}" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"/>`)}`,
  );
  return xml`<line x1="${left}" y1="${bottom}" x2="${left + width}" y2="${bottom}" stroke="#2d363b" stroke-width="2"/>${shapes}`;
}
