import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { HttpError, InfluxDB } from '@influxdata/influxdb-client';
import type { BucketNames } from './buckets.ts';
import { readFault, writeFault } from './influx-faults.ts';
import { rowsOf, type Series } from './query-answer.ts';

/** How long a read and a write may take. */
const READ_MS = 5000;
const WRITE_MS = 10_000;
/** Lines of one request: some 2 MB. */
const LINES_AT_ONCE = 20_000;
/** A connection that nothing uses is closed well before the server does it (after 3 minutes). */
const IDLE_MS = 60_000;

export interface InfluxConnectionOptions {
  url: string;
  token: string;
  org: string;
  buckets: BucketNames;
  readMs?: number | undefined;
  writeMs?: number | undefined;
}

/** Values bound to `$name` in a query. */
type QueryValues = Readonly<Record<string, string | number>>;

/** A connection to one organisation's two buckets. */
export interface InfluxConnection {
  /**
   * Runs InfluxQL statements; what each of them found, instants in epoch seconds.
   *
   * @throws AppError `unavailable` when the server is away, too slow, or answers with a fault of its own
   */
  query(bucket: keyof BucketNames, statements: string, values: QueryValues): Promise<Series[][]>;
  /**
   * Writes lines whose times are nanoseconds. All of them are durable when it resolves, but for points that the bucket is
   * too short for.
   *
   * @throws AppError `unavailable` when the server is away, too slow or refuses for now: then some may be written
   */
  write(bucket: keyof BucketNames, lines: readonly string[]): Promise<void>;
  close(): void;
}

/** Opens no socket before the first request. */
export function connectInflux(options: InfluxConnectionOptions): InfluxConnection {
  const { url, token, org, buckets, readMs = READ_MS, writeMs = WRITE_MS } = options;
  const Agent = url.startsWith('https:') ? HttpsAgent : HttpAgent;
  const reading = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const writing = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const reader = new InfluxDB({ url, token, timeout: readMs, transportOptions: { agent: reading } });
  const writer = new InfluxDB({ url, token, timeout: writeMs, transportOptions: { agent: writing } });

  const writeSome = async (bucket: string, lines: readonly string[]): Promise<void> => {
    // The client's own retries lose lines; the bus brings what failed again.
    const api = writer.getWriteApi(org, bucket, 'ns', {
      maxRetries: 0,
      flushInterval: 0,
      batchSize: 2,
      maxBatchBytes: Infinity,
      gzipThreshold: Infinity,
      // Without a promise the client would print the fault.
      writeFailed: (error) => Promise.reject(error),
    });
    api.writeRecord(lines.join('\n'));
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`no answer after ${writeMs} ms`));
      }, writeMs);
    });
    try {
      await Promise.race([api.flush(), tooLate]);
    } catch (error) {
      const fault = writeFault(error);
      if (fault === null) return;
      // A request that nobody waits for any more must not hold its socket.
      if (!(error instanceof HttpError)) writing.destroy();
      throw fault;
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    query: async (bucket, statements, values) => {
      const query = new URLSearchParams({
        db: buckets[bucket],
        epoch: 's',
        q: statements,
        params: JSON.stringify(values),
      });
      const request = { method: 'GET', signal: AbortSignal.timeout(readMs) };
      try {
        return rowsOf(await reader.transport.request(`/query?${query.toString()}`, '', request));
      } catch (error) {
        throw readFault(error);
      }
    },
    write: async (bucket, lines) => {
      for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
        await writeSome(buckets[bucket], lines.slice(from, from + LINES_AT_ONCE));
      }
    },
    close: () => {
      reading.destroy();
      writing.destroy();
    },
  };
}
