import { DAY_SECONDS, type EpochSeconds, formatDate, formatTimestamp } from '@lobbystats/contracts';
import { dayOf } from './periods.ts';

/** A fast {@link formatTimestamp} for many instants: dates and times of day are cached. */
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

function timeOfDay(second: number): string {
  return (times[second] ??= formatTimestamp(second).slice(10));
}
