import { HttpError } from '@influxdata/influxdb-client';
import { AppError } from '@lobbystats/errors';

/** What InfluxDB says of points that are older than the bucket keeps: it has stored all the others. */
const BEYOND_RETENTION = /partial write: dropped \d+ points outside retention policy|points beyond retention policy/;

/** Statuses that say that the request itself is wrong: the same one can never succeed. */
const NEVER: readonly number[] = [400, 413, 422];

/** What a failed write means, or null when it isn't one: what was left out has expired. */
export function writeFault(error: unknown): Error | null {
  if (error instanceof HttpError && error.statusCode === 422 && BEYOND_RETENTION.test(error.body ?? '')) return null;
  return readFault(error);
}

/**
 * What a failed request means. A token or a bucket that is gone is `unavailable` too: once it is there again, the same
 * request succeeds.
 */
export function readFault(error: unknown): Error {
  if (error instanceof HttpError && NEVER.includes(error.statusCode)) return error;
  return new AppError('unavailable', 'The store is not available', { cause: error });
}
