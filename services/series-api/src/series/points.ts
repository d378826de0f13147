import { DAY_SECONDS, formatDate, formatTimestamp, type EpochSeconds, type Resolution } from '@lobbystats/contracts';
import { dayOf } from './periods.ts';

export type SeriesPoint = readonly [slot: EpochSeconds, count: number];

export interface BucketBounds {
  min?: number;
  max?: number;
}

interface Bucket {
  start: EpochSeconds;
  mean: number;
  min: number;
  max: number;
}

/**
 * One row for a point, or for a bucket with its bounds.
 *
 * @param row makes a row from its time and its count
 */
export function seriesRows<Row extends object>(
  points: readonly SeriesPoint[],
  resolution: Resolution,
  row: (recordedAt: string, count: number) => Row,
): (Row & BucketBounds)[] {
  const timestamp = createTimestampFormatter();
  if (resolution === 'raw') return points.map(([slot, count]) => row(timestamp(slot), count));
  return bucketPoints(points, Number(resolution) * 60).map(({ start, mean, min, max }) => ({
    ...row(timestamp(start), mean),
    min,
    max,
  }));
}

function bucketPoints(points: readonly SeriesPoint[], seconds: number): Bucket[] {
  const buckets = Map.groupBy(points, ([slot]) => Math.floor(slot / seconds) * seconds);
  return [...buckets].map(([start, members]) => {
    let [sum, min, max] = [0, Infinity, -Infinity];
    for (const [, count] of members) {
      sum += count;
      min = Math.min(min, count);
      max = Math.max(max, count);
    }
    return { start, mean: Math.round(sum / members.length), min, max };
  });
}

/** The first of the highest. */
export function highestOf(points: readonly SeriesPoint[]): SeriesPoint | undefined {
  let highest: SeriesPoint | undefined;
  for (const point of points) if (highest === undefined || point[1] > highest[1]) highest = point;
  return highest;
}

/** At most 2 decimals. */
export function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

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
