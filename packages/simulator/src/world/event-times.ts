import { DAY_SECONDS, formatDate } from '@lobbystats/contracts';
import { mix, pickIndex } from './hash.ts';

/** Events this close to a clock change take place on its day. */
const REACH_DAYS = 10;

const REGULAR_HOURS = [
  ['20:00', '22:30'],
  ['19:30', '21:00'],
  ['18:00', null],
  ['23:30', '02:00'],
  ['14:00', '20:00'],
  ['21:15', '00:15'],
  ['00:00', '03:00'],
  ['20:00', null],
] as const;

const CLOCK_CHANGE_HOURS = [
  ['01:30', '04:00'],
  ['02:30', '05:00'],
  ['00:30', '02:15'],
  ['02:00', null],
  ['23:00', '03:30'],
] as const;

export interface EventTimes {
  event_date: string;
  start_time: string;
  end_time: string | null;
  event_timezone: string;
}

export function eventTimes(hash: number, day: number): { times: EventTimes; startsAbout: number } {
  const zone = EVENT_ZONES[pickIndex(mix(hash, 1), EVENT_ZONES.length)];
  if (zone === undefined) throw new RangeError('there are no zones');
  const change = clockChangeNear(day, zone, REACH_DAYS);
  const hours = change === undefined ? REGULAR_HOURS : CLOCK_CHANGE_HOURS;
  const [start, end] = hours[pickIndex(mix(hash, 2), hours.length)] ?? REGULAR_HOURS[0];
  const [hour = '0', minute = '0'] = start.split(':');
  const midnight = (change ?? day) * DAY_SECONDS;
  return {
    times: { event_date: formatDate(midnight), start_time: start, end_time: end, event_timezone: zone.name },
    startsAbout: midnight + Number(hour) * 3_600 + Number(minute) * 60 - zone.offset,
  };
}

interface SundayRule {
  month: number;
  which: number;
}

interface EventZone {
  name: string;
  offset: number;
  changes: readonly SundayRule[];
}

const EUROPE = [rule(3, -1), rule(10, -1)];
const AMERICA = [rule(3, 2), rule(11, 1)];
const AUSTRALIA = [rule(4, 1), rule(10, 1)];

/** Zones with and without daylight saving, by an hour or half of one. */
const EVENT_ZONES: readonly EventZone[] = [
  zone('Europe/Berlin', 1, EUROPE),
  zone('America/New_York', -5, AMERICA),
  zone('Australia/Lord_Howe', 10.5, AUSTRALIA),
  zone('Europe/London', 0, EUROPE),
  zone('America/Los_Angeles', -8, AMERICA),
  zone('Asia/Tokyo', 9, []),
  zone('Asia/Kolkata', 5.5, []),
  zone('Australia/Sydney', 10, AUSTRALIA),
  zone('UTC', 0, []),
  zone('Pacific/Kiritimati', 14, []),
];

function clockChangeNear(day: number, { changes }: EventZone, reach: number): number | undefined {
  const year = new Date(day * DAY_SECONDS * 1000).getUTCFullYear();
  return changes.map((change) => sundayOf(year, change)).find((change) => Math.abs(change - day) <= reach);
}

function sundayOf(year: number, { month, which }: SundayRule): number {
  // Sundays are days 3 modulo 7: the epoch was a Thursday.
  const from = dayNumber(year, which === -1 ? month + 1 : month) + (which === -1 ? -7 : (which - 1) * 7);
  return from + ((((3 - from) % 7) + 7) % 7);
}

function dayNumber(year: number, month: number): number {
  return Date.UTC(year, month - 1, 1) / 1000 / DAY_SECONDS;
}

function rule(month: number, which: number): SundayRule {
  return { month, which };
}

function zone(name: string, offsetHours: number, changes: readonly SundayRule[]): EventZone {
  return { name, offset: offsetHours * 3_600, changes };
}
