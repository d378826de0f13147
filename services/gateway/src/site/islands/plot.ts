import uPlot from 'uplot';
import type { PlotData } from '../../plots/plot-data.ts';
import { plotColumns, plotShape } from './plot-columns.ts';
import { plotOptions } from './plot-options.ts';
import { attachReadout, type Readout } from './plot-readout.ts';

interface DrawnPlot {
  json: string;
  data: PlotData;
  readonly plot: uPlot;
  readonly readout: Readout;
}

const drawn = new WeakMap<HTMLElement, DrawnPlot>();

/** Draws the plots of the page over their pictures. New data of a drawn plot replaces the old in place. */
export function drawPlots(root: ParentNode): void {
  for (const figure of root.querySelectorAll<HTMLElement>('figure[data-plot]')) draw(figure);
}

function draw(figure: HTMLElement): void {
  const canvas = figure.querySelector<HTMLElement>('.canvas');
  const json = figure.querySelector('script[type="application/json"]')?.textContent ?? '';
  const before = drawn.get(figure);
  if (canvas === null || json === '' || before?.json === json) return;
  const data = JSON.parse(json) as PlotData;
  if (before !== undefined && canvas.contains(before.plot.root) && plotShape(before.data) === plotShape(data)) {
    replaceData(before, json, data);
    return;
  }
  before?.plot.destroy();
  canvas.replaceChildren();
  const caption = figure.querySelector('figcaption')?.firstChild?.textContent ?? '';
  const current = () => drawn.get(figure)?.data ?? data;
  const plot = new uPlot(plotOptions(current, canvas), plotColumns(data), canvas);
  drawn.set(figure, { json, data, plot, readout: attachReadout(canvas, plot, current, caption) });
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

/** Colors come from the style sheet, which follows the color scheme. */
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const figure of document.querySelectorAll<HTMLElement>('figure[data-plot]')) {
    drawn.get(figure)?.plot.destroy();
    drawn.delete(figure);
    draw(figure);
  }
});
