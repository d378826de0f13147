import uPlot from 'uplot';
import type { PlotData } from '../plots/plot-data.ts';
import { chosenZone } from './local-time.ts';
import type { Zone } from '../dates.ts';
import { plotColumns, plotShape } from './plot-columns.ts';
import { plotOptions } from './plot-options.ts';
import { showTableTimes } from './plot-table-times.ts';
import type { Zoom } from './plot-zoom.ts';
import { onThemeChange } from './theme.ts';
import { attachReadout, type Readout } from './plot-readout.ts';

interface DrawnPlot {
  json: string;
  data: PlotData;
  readonly plot: uPlot;
  readonly zone: Zone;
  readonly readout: Readout;
}

const drawn = new WeakMap<HTMLElement, DrawnPlot>();

/** Draws plots over their pictures. New data of a drawn plot replaces the old in place. */
export function drawPlots(figures: readonly HTMLElement[]): void {
  for (const figure of figures) draw(figure);
}

function draw(figure: HTMLElement): void {
  const canvas = figure.querySelector<HTMLElement>('.canvas');
  const json = figure.querySelector('script[type="application/json"]')?.textContent ?? '';
  const before = drawn.get(figure);
  if (canvas === null || json === '') return;
  const zone = chosenZone();
  const isOfZone = before?.zone.suffix === zone.suffix;
  const data = before?.json === json ? before.data : (JSON.parse(json) as PlotData);
  showTableTimes(figure, data, zone);
  if (isOfZone && before.json === json) return;
  if (isOfZone && canvas.contains(before.plot.root) && plotShape(before.data) === plotShape(data)) {
    replaceData(before, json, data);
    return;
  }
  before?.plot.destroy();
  canvas.replaceChildren();
  const caption = figure.querySelector('figcaption')?.firstChild?.textContent ?? '';
  const current = () => drawn.get(figure)?.data ?? data;
  const zoom: Zoom = { shown: undefined };
  const plot = new uPlot(plotOptions(current, canvas, zoom), plotColumns(data), canvas);
  drawn.set(figure, { json, data, plot, zone, readout: attachReadout(canvas, plot, zoom, current, caption) });
  if (before === undefined) keepSize(figure, canvas);
}

function replaceData(target: DrawnPlot, json: string, data: PlotData): void {
  const before = target.data;
  Object.assign(target, { json, data });
  // At once: the readout needs the new scales.
  target.plot.batch(() => target.plot.setData(plotColumns(data)));
  target.readout.dataReplaced(before);
}

function keepSize(figure: HTMLElement, canvas: HTMLElement): void {
  const fit = () => drawn.get(figure)?.plot.setSize({ width: canvas.clientWidth, height: canvas.clientHeight });
  new ResizeObserver(fit).observe(canvas);
}

/** Colors come from the style sheet, which follows the theme. */
onThemeChange(() => {
  for (const figure of document.querySelectorAll<HTMLElement>('figure[data-plot]')) {
    const before = drawn.get(figure);
    if (before === undefined) continue;
    before.plot.destroy();
    drawn.delete(figure);
    draw(figure);
  }
});
