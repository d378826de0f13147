/** How a reader reads instants. */
export interface Zone {
  /** Follows a time of day: ` UTC`; nothing for the reader's own time. */
  readonly suffix: string;
  /** Milliseconds to add to an instant, so that its UTC fields are those of the zone. */
  readonly offset: (ms: number) => number;
  /** Default: 24 hours. */
  readonly isHour12?: boolean;
}

export const UTC: Zone = { suffix: ' UTC', offset: () => 0 };

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Sat 31 Jan 2026` of an instant. @param now its year is left out; dates of other years have no weekday then */
export function dateText(ms: number, zone: Zone, now?: number): string {
  const date = fieldsOf(ms, zone);
  const text = `${WEEKDAYS[date.getUTCDay()] ?? ''} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()}`;
  return now === undefined ? text : shortDate(text, fieldsOf(now, zone).getUTCFullYear());
}

/** `Sat 31 Jan` of a date of the year; `31 Jan 2026` of another. @param date `Sat 31 Jan 2026` */
export function shortDate(date: string, year: number): string {
  return date.endsWith(` ${year}`) ? date.slice(0, -5) : date.slice(4);
}

/** `18:05` or `6:05 pm` of an instant. */
export function clockText(ms: number, zone: Zone): string {
  const date = fieldsOf(ms, zone);
  const [hours, minutes] = [date.getUTCHours(), String(date.getUTCMinutes()).padStart(2, '0')];
  if (zone.isHour12 === true) return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'am' : 'pm'}`;
  return `${String(hours).padStart(2, '0')}:${minutes}`;
}

/** `Sat 31 Jan 2026, 18:05 UTC`. @param now as for {@link dateText} */
export function instantText(ms: number, zone: Zone, now?: number): string {
  return `${dateText(ms, zone, now)}, ${clockText(ms, zone)}${zone.suffix}`;
}

/**
 * `Sat 31 Jan, 18:00 to 19:00 UTC`, `Sat 31 Jan, 23:00 to Sun 1 Feb, 00:00 UTC`: the end has no date if the begin has the same one.
 *
 * @param now as for {@link dateText}
 */
export function rangeText(begin: number, end: number, zone: Zone, now?: number): string {
  return `${instantText(begin, { ...zone, suffix: '' }, now)} to ${endText(begin, end, zone, now)}`;
}

/** The end of {@link rangeText}. */
export function endText(begin: number, end: number, zone: Zone, now?: number): string {
  const isSameDay = daysBetween(begin, end, zone) === 0;
  return isSameDay ? `${clockText(end, zone)}${zone.suffix}` : instantText(end, zone, now);
}

/** `Jan 2026`. @param month `2026-01` */
export function monthText(month: string): string {
  return `${MONTHS[Number(month.slice(5)) - 1] ?? ''} ${month.slice(0, 4)}`;
}

/** `2026-01-31 18:05 UTC` */
export function isoText(ms: number, zone: Zone): string {
  return `${fieldsOf(ms, zone).toISOString().slice(0, 16).replace('T', ' ')}${zone.suffix}`;
}

/** Days between the dates of two instants: 1 for tomorrow. */
export function daysBetween(now: number, ms: number, { offset }: Zone): number {
  return Math.floor((ms + offset(ms)) / DAY_MS) - Math.floor((now + offset(now)) / DAY_MS);
}

/** Its UTC fields are those of the zone. */
function fieldsOf(ms: number, { offset }: Zone): Date {
  return new Date(ms + offset(ms));
}

export const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const counts = new Intl.NumberFormat('en');

/**
 * `110 min`, `26 h 30 min`, `3 days 4 h`; rounded down.
 *
 * @param largest play time is in hours, whatever its length
 */
export function durationText(ms: number, largest: 'days' | 'hours' = 'days'): string {
  const [days, hours, minutes] = [DAY_MS, HOUR_MS, MINUTE_MS].map((unit) => Math.floor(ms / unit)) as [
    number,
    number,
    number,
  ];
  if (hours < 2) return `${minutes} min`;
  if (hours < 48 || largest === 'hours') return withRest(`${counts.format(hours)} h`, minutes % 60, 'min');
  return withRest(`${counts.format(days)} days`, hours % 24, 'h');
}

/** `35 min`, `123 h 10 min`. */
export function playTimeText(minutes: number): string {
  return durationText(minutes * MINUTE_MS, 'hours');
}

function withRest(text: string, rest: number, unit: string): string {
  return rest === 0 ? text : `${text} ${rest} ${unit}`;
}
