import { cellBegin, hasTimeOfDay, tableRows, type PlotData } from '../plots/plot-data.ts';
import { cellsText } from '../plots/plot-texts.ts';
import type { Zone } from '../dates.ts';

/** Names the rows of the table below a plot in a zone. Days are UTC. */
export function showTableTimes(figure: HTMLElement, data: PlotData, zone: Zone): void {
  if (!hasTimeOfDay(data.cells)) return;
  for (const { start, end } of tableRows(data)) {
    // By the ID of the row: an update may have others.
    const row = document.getElementById(`${figure.id}-${cellBegin(data.cells, start)}`);
    const heading = row?.querySelector('th');
    const text = cellsText(data, start, end - 1, zone);
    if (heading && heading.textContent !== text) heading.textContent = text;
  }
}
