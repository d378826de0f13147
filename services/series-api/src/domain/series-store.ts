import type { SeriesReader } from './series-reader.ts';
import type { SeriesWriter } from './series-writer.ts';

/**
 * A slot is stored once its site snapshot is, which is written last. Writes are idempotent. A miss is null or empty.
 * Throws AppError `unavailable`.
 */
export interface SeriesStore extends SeriesReader, SeriesWriter {
  /** Rejects when the database can't be read. */
  check(): Promise<void>;
  close(): Promise<void>;
}
