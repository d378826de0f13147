import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { InfluxDB } from '@influxdata/influxdb-client';
import { promptly } from '@lobbystats/service-kit';
import type { BucketNames } from './buckets.ts';
import { readFault, writeFault } from './influx-faults.ts';
import { overdueWrites, type OverdueWritesOptions } from './overdue-writes.ts';
import { rowsOf, type Series } from './query-answer.ts';

const READ_MS = 5000;
const WRITE_MS = 10_000;
const LINES_AT_ONCE = 20_000;
const IDLE_MS = 60_000;

export interface InfluxConnectionOptions {
  url: string;
  token: string;
  org: string;
  buckets: BucketNames;
  readMs?: number | undefined;
  writeMs?: number | undefined;
  overdue?: Pick<OverdueWritesOptions, 'settleMs' | 'lostAfterMs'> | undefined;
}

type QueryValues = Readonly<Record<string, string | number>>;

export interface InfluxConnection {
  /**
   * Results of InfluxQL statements, times in epoch seconds.
   *
   * @throws AppError `unavailable` when the server is away, too slow, or answers with a fault of its own
   */
  query(bucket: keyof BucketNames, statements: string, values: QueryValues): Promise<Series[][]>;
  /**
   * Durable when it resolves, except expired points. After `unavailable` some may be written, and further writes wait
   * until that write has ended.
   *
   * @throws AppError `unavailable` when the server is away, too slow or refuses for now: then some may be written. Nothing else
   * is until that write has ended
   */
  write(bucket: keyof BucketNames, lines: readonly string[]): Promise<void>;
  close(): void;
}

export function connectInflux(options: InfluxConnectionOptions): InfluxConnection {
  const { url, token, org, buckets, readMs = READ_MS, writeMs = WRITE_MS } = options;
  const Agent = url.startsWith('https:') ? HttpsAgent : HttpAgent;
  const reading = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const writing = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const reader = new InfluxDB({ url, token, timeout: readMs, transportOptions: { agent: reading } });
  // No client timeout: it would drop the connection with the write's outcome unknown.
  const writer = new InfluxDB({ url, token, timeout: 0, transportOptions: { agent: writing } });
  const overdue = overdueWrites({ ...options.overdue, onLost: () => writing.destroy() });

  const answeredInTime = promptly(writeMs, `no answer after ${writeMs} ms`);

  const writeSome = async (bucket: string, lines: readonly string[]): Promise<void> => {
    // The client's retries lose lines; the bus redelivers.
    const api = writer.getWriteApi(org, bucket, 'ns', {
      maxRetries: 0,
      flushInterval: 0,
      batchSize: 2,
      maxBatchBytes: Infinity,
      gzipThreshold: Infinity,
      // The client would print the error.
      writeFailed: (error) => Promise.reject(error),
    });
    let answer: Promise<void> | undefined;
    try {
      await overdue.ended(writeMs);
      api.writeRecord(lines.join('\n'));
      const flushed = api.flush();
      answer = flushed;
      await answeredInTime(() => flushed);
    } catch (error) {
      const fault = writeFault(error);
      if (fault !== null) {
        if (answer !== undefined) overdue.add(answer);
        throw fault;
      }
    }
    overdue.answered();
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
        const rows = rowsOf(await reader.transport.request(`/query?${query.toString()}`, '', request));
        overdue.answered();
        return rows;
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
