import { tableRows, type PlotData } from '../../plots/plot-data.ts';
import { cellsText, hasTimeOfDay } from '../../plots/plot-texts.ts';
import type { Zone } from '../../plots/zone.ts';

/** Names the rows of the table below a plot in a zone. Days are UTC. */
export function showTableTimes(figure: HTMLElement, data: PlotData, zone: Zone): void {
  if (!hasTimeOfDay(data.cells)) return;
  const headings = figure.querySelectorAll<HTMLElement>('tbody th');
  for (const [index, { start, end }] of tableRows(data).entries()) {
    const text = cellsText(data, start, end - 1, zone);
    const heading = headings[index];
    if (heading !== undefined && heading.textContent !== text) heading.textContent = text;
  }
}
