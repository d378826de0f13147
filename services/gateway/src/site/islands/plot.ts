import uPlot from 'uplot';
import type { PlotData } from '../plot-data.ts';
import { plotOptions } from './plot-options.ts';
import { attachSlider } from './plot-slider.ts';

interface DrawnPlot {
  readonly json: string;
  readonly plot: uPlot;
}

const drawn = new WeakMap<HTMLElement, DrawnPlot>();

/** Draws the plots of the page over their pictures; those with unchanged data stay as they are. */
export function drawPlots(root: ParentNode): void {
  for (const figure of root.querySelectorAll<HTMLElement>('figure[data-plot]')) draw(figure);
}

function draw(figure: HTMLElement): void {
  const canvas = figure.querySelector<HTMLElement>('.canvas');
  const json = figure.querySelector('script[type="application/json"]')?.textContent ?? '';
  const before = drawn.get(figure);
  if (canvas === null || json === '' || before?.json === json) return;
  const data = JSON.parse(json) as PlotData;
  if (data.xs.length === 0) return;
  before?.plot.destroy();
  canvas.replaceChildren();
  const plot = new uPlot(
    plotOptions(data, canvas),
    [[...data.xs], ...data.series.map(({ values }) => [...values])],
    canvas,
  );
  attachSlider(canvas, plot, data, figure.querySelector('figcaption')?.firstChild?.textContent ?? '');
  drawn.set(figure, { json, plot });
  if (before === undefined) keepSize(figure, canvas);
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
