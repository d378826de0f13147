import { DAY_SECONDS, type EpochSeconds, type QuietHours } from '@lobbystats/contracts';

const MINUTE = 60;
const MINUTES_PER_DAY = DAY_SECONDS / MINUTE;
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * When a notification of `at` may be sent: `at` itself, or the end of the quiet hours it is in. An hour that the zone's
 * clocks skip or repeat is counted by those clocks.
 */
export function afterQuietHours(at: EpochSeconds, quiet: QuietHours | undefined): EpochSeconds {
  if (quiet === undefined) return at;
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  const isQuiet = (time: EpochSeconds) => {
    const minute = minuteOfDay(time, quiet.timeZone);
    return from < to ? minute >= from && minute < to : minute >= from || minute < to;
  };
  if (!isQuiet(at)) return at;
  const wait = (to - minuteOfDay(at, quiet.timeZone) + MINUTES_PER_DAY) % MINUTES_PER_DAY;
  const end = Math.floor(at / MINUTE) * MINUTE + wait * MINUTE;
  // Clocks that change meanwhile end the quiet hours an hour earlier or later.
  const shift =
    ((to - minuteOfDay(end, quiet.timeZone) + 1.5 * MINUTES_PER_DAY) % MINUTES_PER_DAY) - MINUTES_PER_DAY / 2;
  return Math.max(end + shift * MINUTE, at);
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * MINUTE + Number(time.slice(3));
}

function minuteOfDay(at: EpochSeconds, timeZone: string): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    formats.set(timeZone, format);
  }
  return minutesOf(format.format(at * 1000));
}
