import {
  ACTIVITY_DAYS,
  DAY_SECONDS,
  HOUR_SECONDS,
  weekdays,
  type EpochSeconds,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import { lastSeconds } from '../series/periods.ts';
import { round2, type SeriesPoint } from '../series/points.ts';
import { titleHeader, type TitleQueries } from '../titles/titles.queries.ts';
import type { SlotQueries } from './slots.queries.ts';

/** The epoch began on a Thursday. */
const EPOCH_WEEKDAY = weekdays.indexOf('thursday');

/** @throws AppError `not-found` for an unknown title */
export async function getActivity(
  store: TitleQueries & SlotQueries,
  titleId: string,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getActivity>> {
  const head = await titleHeader(store, titleId);
  const points = await store.titleOnline(titleId, lastSeconds(now, ACTIVITY_DAYS * DAY_SECONDS));
  const hours = weekdays.flatMap((weekday, index) => {
    const ofDay = points.filter(([slot]) => weekdayOf(slot) === index);
    const byHour = Map.groupBy(ofDay, ([slot]) => Math.floor((slot % DAY_SECONDS) / HOUR_SECONDS));
    return [...byHour].toSorted(([a], [b]) => a - b).map(([hour, members]) => ({ weekday, hour, ...statsOf(members) }));
  });
  return { body: { ...head, days: ACTIVITY_DAYS, hours }, lastModified: points.at(-1)?.[0] };
}

function weekdayOf(slot: EpochSeconds): number {
  return (Math.floor(slot / DAY_SECONDS) + EPOCH_WEEKDAY) % weekdays.length;
}

function statsOf(points: readonly SeriesPoint[]) {
  const counts = points.map(([, count]) => count);
  const sum = counts.reduce((total, count) => total + count, 0);
  return { average_online: round2(sum / counts.length), peak_online: Math.max(...counts) };
}
