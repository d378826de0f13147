import { DAY_SECONDS, type EpochSeconds, formatDate, formatTimestamp } from '@lobbystats/contracts';
import { dayOf } from './periods.ts';

/** A fast {@link formatTimestamp} for many instants: dates and times of day are cached. */
export function createTimestampFormatter(): (instant: EpochSeconds) => string {
  let day = Number.NaN;
  let date = '';
  return (instant) => {
    const begin = dayOf(instant);
    if (begin !== day) {
      day = begin;
      date = formatDate(begin);
    }
    return date + formatTimeOfDay(instant - begin);
  };
}

const timesOfDay = new Array<string | undefined>(DAY_SECONDS);

function formatTimeOfDay(second: number): string {
  return (timesOfDay[second] ??= formatTimestamp(second).slice(10));
}
