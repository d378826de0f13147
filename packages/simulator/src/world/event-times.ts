import { DAY_SECONDS, formatDay } from '../instants.ts';
import { clockChangeNear, EVENT_ZONES } from './event-zones.ts';
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
    times: { event_date: formatDay(midnight), start_time: start, end_time: end, event_timezone: zone.name },
    startsAbout: midnight + Number(hour) * 3_600 + Number(minute) * 60 - zone.offset,
  };
}
