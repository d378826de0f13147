import type uPlot from 'uplot';
import { binText, type PlotData } from '../plot-data.ts';
import { formatValue } from './plot-options.ts';

/** Lets keyboard and pointer choose a point, whose values stand above the plot and are read by screen readers. */
export function attachSlider(canvas: HTMLElement, plot: uPlot, data: PlotData, caption: string): void {
  const readout = document.createElement('p');
  readout.className = 'readout';
  const slider = document.createElement('input');
  slider.type = 'range';
  slider.min = '0';
  slider.max = String(data.xs.length - 1);
  slider.value = slider.max;
  slider.setAttribute('aria-label', `Point in: ${caption}`);
  const show = (index: number | null | undefined) => {
    const text = index === null || index === undefined ? '' : describe(data, index);
    readout.textContent = text;
    slider.setAttribute('aria-valuetext', text === '' ? describe(data, Number(slider.value)) : text);
  };
  slider.addEventListener('input', () => {
    const index = Number(slider.value);
    plot.setCursor({ left: plot.valToPos(data.xs[index] ?? 0, 'x'), top: 0 }, false);
    show(index);
  });
  slider.addEventListener('blur', () => {
    plot.setCursor({ left: -10, top: -10 }, false);
    show(undefined);
  });
  plot.over.addEventListener('pointermove', () => show(plot.cursor.idx));
  plot.over.addEventListener('pointerleave', () => show(undefined));
  show(undefined);
  canvas.append(slider, readout);
}

function describe({ axis, xs, series, bins }: PlotData, index: number): string {
  const x = xs[index] ?? 0;
  const instant =
    axis === 'time' ? `${new Date(x * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC` : String(x);
  const at = bins === undefined ? instant : binText(bins, index);
  const values = series.map(({ label, values: all }) => {
    const value = all[index] ?? null;
    return `${label}: ${value === null ? 'no data' : formatValue(value)}`;
  });
  return `${at} · ${values.join(' · ')}`;
}
