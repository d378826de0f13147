import { dateOf, minuteOf, UTC, type Zone } from '../plots/zone.ts';
import { preferenceOf } from './preferences.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const LOCAL: Zone = { suffix: '', offset: (ms) => -MINUTE_MS * new Date(ms).getTimezoneOffset() };

/** Where nothing differs from UTC, its name is better than none. */
const isAtUtc = ['UTC', 'Etc/UTC'].includes(new Intl.DateTimeFormat().resolvedOptions().timeZone);

/** The zone that the reader has chosen: their own, or UTC. */
export function chosenZone(): Zone {
  return isAtUtc || preferenceOf('times') === 'utc' ? UTC : LOCAL;
}

/** The chosen zone, where a page names it. */
export function zoneName(): string {
  return chosenZone() === UTC ? 'UTC' : 'your time';
}

/** Shows the times of a page in the chosen zone; those within a day from now as how long ago. */
export function showTimes(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLTimeElement>('time[data-time]')) showTime(element);
  for (const element of root.querySelectorAll<HTMLElement>('[data-zone]')) setText(element, zoneName());
}

/** A tap or click shows the exact time, and again how long ago it was. */
export function toggleTime({ target }: Event): void {
  const element = target instanceof Element ? target.closest<HTMLTimeElement>('time[data-time="relative"]') : null;
  if (element?.closest('a, button, summary') !== null) return;
  element.toggleAttribute('data-exact');
  showTime(element);
}

function showTime(element: HTMLTimeElement): void {
  const ms = Date.parse(element.dateTime);
  if (Number.isNaN(ms)) return;
  const exact = exactText(ms, chosenZone());
  const isExact = element.dataset['time'] !== 'relative' || element.hasAttribute('data-exact');
  const isRelative = !isExact && preferenceOf('times') === 'local';
  setText(element, (isRelative ? relativeText(ms - Date.now()) : undefined) ?? exact);
  const other = exactText(ms, chosenZone() === UTC ? LOCAL : UTC);
  const title = chosenZone() === UTC ? `${exact}, local ${other}` : `${exact}, ${other}`;
  if (element.title !== title) element.title = title;
}

/** An element that has this text already does not change. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function exactText(ms: number, zone: Zone): string {
  return `${dateOf(ms, zone)} ${minuteOf(ms, zone)}${zone.suffix}`;
}

/** `25 min ago`, `in 3 h`; undefined from a day on. @param distance milliseconds from now */
function relativeText(distance: number): string | undefined {
  const size = Math.abs(distance);
  if (size >= DAY_MS) return undefined;
  if (size < MINUTE_MS) return 'now';
  const text = size < HOUR_MS ? `${Math.floor(size / MINUTE_MS)} min` : `${Math.floor(size / HOUR_MS)} h`;
  return distance < 0 ? `${text} ago` : `in ${text}`;
}
