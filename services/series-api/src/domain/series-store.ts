import type { SeriesReader } from './series-reader.ts';
import type { SeriesWriter } from './series-writer.ts';

/**
 * Where the series are. It promises the same over any database, one without transactions over several rows included:
 *
 * - a slot is stored when its site snapshot is, which is written last; before that nothing counts on it being whole;
 * - writing the same again changes nothing;
 * - a miss is null or an empty list, never an error;
 * - a database that can't be reached is an AppError `unavailable`.
 */
export interface SeriesStore extends SeriesReader, SeriesWriter {
  /** Rejects when the database can't be read. */
  check(): Promise<void>;
  close(): Promise<void>;
}
