import { HttpError } from '@influxdata/influxdb-client';
import { AppError } from '@lobbystats/errors';

/** InfluxDB's message for expired points; it has stored the others. */
const BEYOND_RETENTION = /partial write: dropped \d+ points outside retention policy|points beyond retention policy/;

/** The request itself is wrong. */
const PERMANENT_STATUSES: readonly number[] = [400, 413, 422];

/** Null: only expired points were left out. */
export function writeFault(error: unknown): Error | null {
  if (error instanceof HttpError && error.statusCode === 422 && BEYOND_RETENTION.test(error.body ?? '')) return null;
  return readFault(error);
}

/** A missing token or bucket is `unavailable`, since a repair makes the same request succeed. */
export function readFault(error: unknown): Error {
  if (error instanceof HttpError && PERMANENT_STATUSES.includes(error.statusCode)) return error;
  return new AppError('unavailable', 'The store is not available', { cause: error });
}
