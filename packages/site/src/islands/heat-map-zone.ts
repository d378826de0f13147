import { eveningText, heatLevel, heatText, weekHourOf, weekHourText } from '../plots/heat-map-texts.ts';
import { chosenZone, zoneName } from './local-time.ts';

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 168;

/**
 * Moves the cells of the heat map, which are hours of UTC, to the hours of the chosen zone as it is now. In zones of
 * half hours an hour is the mean of the two that it is of.
 */
export function rotateHeatMap(root: ParentNode): void {
  const table = root.querySelector<HTMLTableElement>('table.heat:not([data-rotated])');
  const hours = chosenZone().offset(Date.now()) / HOUR_MS;
  if (table === null) return;
  // An update has a new table as it was sent, and morphs this one.
  table.dataset['rotated'] = '';
  if (hours === 0) return;
  const cells = [...table.querySelectorAll<HTMLTableCellElement>('tbody td')];
  const sent = cells.map(({ className, textContent }) => ({ className, text: textContent.trim() }));
  const most = Math.max(...sent.map(({ text }) => meanOf(text) ?? 0));
  const whole = Math.floor(hours);
  for (const [index, cell] of cells.entries()) {
    const later = sent[modulo(index - whole)];
    const earlier = sent[modulo(index - whole - 1)];
    const shown = hours === whole ? later : between(earlier?.text ?? '', later?.text ?? '', hours - whole, most);
    cell.className = shown?.className ?? '';
    const text = cell.querySelector('span');
    if (text !== null) text.textContent = shown?.text ?? '';
  }
  const sentence = root.querySelector<HTMLElement>('[data-week-hour]');
  if (sentence !== null)
    sentence.textContent = `${weekHourText(modulo(Number(sentence.dataset['weekHour']) + hours))}, ${zoneName()}`;
  const evening = root.querySelector<HTMLElement>('#tonight b');
  const averages = cells.map(({ textContent }) => meanOf(textContent.trim()));
  if (evening !== null) evening.textContent = eveningText(averages, weekHourOf(Date.now() + hours * HOUR_MS), '');
}

/** A mean of two neighbors by their shares; a hour without snapshots is unknown. */
function between(earlier: string, later: string, share: number, most: number) {
  const [before, after] = [meanOf(earlier), meanOf(later)];
  if (before === undefined || after === undefined) return { className: '', text: '–' };
  const mean = share * before + (1 - share) * after;
  return { className: heatLevel(mean, most), text: heatText(mean) };
}

function meanOf(text: string): number | undefined {
  const mean = Number(text.replaceAll(',', ''));
  return Number.isNaN(mean) ? undefined : mean;
}

function modulo(hour: number): number {
  return ((hour % WEEK_HOURS) + WEEK_HOURS) % WEEK_HOURS;
}
