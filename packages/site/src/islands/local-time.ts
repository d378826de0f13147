import {
  clockText,
  DAY_MS,
  dateText,
  daysBetween,
  durationText,
  isoText,
  MINUTE_MS,
  UTC as UTC_24,
  type Zone,
} from '../dates.ts';
import { preferenceOf } from './preferences.ts';

const { hour12: isHour12 = false } = new Intl.DateTimeFormat(navigator.language, {
  timeStyle: 'short',
}).resolvedOptions();

const UTC: Zone = { ...UTC_24, isHour12 };
const LOCAL: Zone = { suffix: '', isHour12, offset: (ms) => -MINUTE_MS * new Date(ms).getTimezoneOffset() };

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
  for (const { dataset, children } of root.querySelectorAll<HTMLElement>('[data-leaf]')) {
    const parts = dateText(Date.parse(dataset['leaf'] ?? ''), chosenZone()).split(' ');
    for (const [index, part] of [...children].entries()) setText(part as HTMLElement, parts[index] ?? '');
  }
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
  const exact = shownText(ms, element.dataset);
  const isExact = element.dataset['time'] !== 'relative' || element.hasAttribute('data-exact');
  const isRelative = !isExact && preferenceOf('times') === 'local';
  setText(element, (isRelative ? relativeText(ms - Date.now()) : undefined) ?? exact);
  const title = `${isoText(ms, LOCAL)}, ${isoText(ms, UTC)}`;
  if (element.title !== title) element.title = title;
}

/** The exact time; of a range, the begin names no zone, and the end no date of the begin. */
function shownText(ms: number, { time, begin }: DOMStringMap): string {
  const zone = chosenZone();
  if (time === 'begin') return exactText(ms, { ...zone, suffix: '' });
  const isDateKnown = begin !== undefined && daysBetween(Number(begin), ms, zone) === 0;
  return isDateKnown ? `${clockText(ms, zone)}${zone.suffix}` : exactText(ms, zone);
}

/** An element that has this text already does not change. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const NEAR_DAYS: Readonly<Record<number, string>> = { [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' };

/** `Sat 31 Jan, 18:05`, `today, 6:05 pm`. */
export function exactText(ms: number, zone = chosenZone()): string {
  const now = Date.now();
  const date = NEAR_DAYS[daysBetween(now, ms, zone)] ?? dateText(ms, zone, now);
  return `${date}, ${clockText(ms, zone)}${zone.suffix}`;
}

/** `25 min ago`, `in 3 h 5 min`; undefined from a day on. @param distance milliseconds from now */
function relativeText(distance: number): string | undefined {
  const size = Math.abs(distance);
  if (size >= DAY_MS) return undefined;
  if (size < MINUTE_MS) return 'now';
  return distance < 0 ? `${durationText(size)} ago` : `in ${durationText(size)}`;
}
