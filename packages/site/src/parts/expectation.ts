import {
  HOUR_SECONDS,
  weekdays,
  type EpochSeconds,
  type operations,
  type OperationResponse,
} from '@lobbystats/contracts';
import type { Expectation } from '../plots/plot-data.ts';

type Activity = OperationResponse<typeof operations.getActivity>;

/** Hours that are looked ahead: from the afternoon on, the evening. */
const HOURS_AHEAD = 8;

/** How many are usually online in the next hours, and the most, at this weekday and hour; undefined if one is unknown. */
export function expectationOf({ days, hours }: Activity, now: EpochSeconds): Expectation | undefined {
  const byTime = new Map(hours.map((hour) => [`${hour.weekday} ${hour.hour}`, hour]));
  const current = now - (now % HOUR_SECONDS);
  const points = Array.from({ length: HOURS_AHEAD + 1 }, (_, index) => {
    const begin = current + index * HOUR_SECONDS;
    const date = new Date(begin * 1000);
    // Weekdays begin with Monday.
    const known = byTime.get(`${weekdays[(date.getUTCDay() + 6) % 7] ?? ''} ${date.getUTCHours()}`);
    return known && ([Math.max(now, begin + HOUR_SECONDS / 2), known.average_online, known.peak_online] as const);
  });
  if (points.some((point) => point === undefined)) return undefined;
  return {
    label: `Usual for the hour, up to the most of ${days} days`,
    points: points.filter((point) => point !== undefined),
  };
}
