import { DAY_SECONDS, type EpochSeconds, formatDate, formatTimestamp } from '@lobbystats/contracts';
import { dayOf } from './periods.ts';

/**
 * Makes a {@link formatTimestamp} for many instants in a row. It forms a day's date once and looks times of day up: a
 * series of 8,640 snapshots has 31 dates and 288 times.
 */
export function timestampWriter(): (instant: EpochSeconds) => string {
  let day = Number.NaN;
  let date = '';
  return (instant) => {
    const begin = dayOf(instant);
    if (begin !== day) {
      day = begin;
      date = formatDate(begin);
    }
    return date + timeOfDay(instant - begin);
  };
}

const times = new Array<string | undefined>(DAY_SECONDS);

/** ` HH:MM:SS`. */
function timeOfDay(second: number): string {
  return (times[second] ??= formatTimestamp(second).slice(10));
}
