import { DAY_SECONDS, type EpochSeconds, type QuietHours } from '@lobbystats/contracts';

const MINUTE = 60;
const MINUTES_PER_DAY = DAY_SECONDS / MINUTE;
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * When a notification of `at` may be sent: `at` itself, or the first minute at which the zone's clocks show that the
 * quiet hours are over.
 */
export function afterQuietHours(at: EpochSeconds, quiet: QuietHours | undefined): EpochSeconds {
  if (quiet === undefined) return at;
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  const clock = minuteOfDay(at, quiet.timeZone);
  const isQuiet = from < to ? clock >= from && clock < to : clock >= from || clock < to;
  if (!isQuiet) return at;
  const minute = Math.floor(at / MINUTE) * MINUTE;
  const end = minute + ((to - clock + MINUTES_PER_DAY) % MINUTES_PER_DAY) * MINUTE;
  if (minuteOfDay(end, quiet.timeZone) === to) return end;
  // Clocks change before: they may skip the end, or show an earlier time again.
  return afterQuietHours(changeBetween(minute, end, quiet.timeZone), quiet);
}

/** The minute at which clocks change. */
function changeBetween(before: EpochSeconds, after: EpochSeconds, timeZone: string): EpochSeconds {
  const offsetAt = (time: EpochSeconds) =>
    (minuteOfDay(time, timeZone) - ((time / MINUTE) % MINUTES_PER_DAY) + MINUTES_PER_DAY) % MINUTES_PER_DAY;
  const offset = offsetAt(before);
  let [low, high] = [before, after];
  while (high - low > MINUTE) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE;
    if (offsetAt(middle) === offset) low = middle;
    else high = middle;
  }
  return high;
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
