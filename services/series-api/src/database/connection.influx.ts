import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as elapse } from 'node:timers/promises';
import { FullDisk } from '@lobbystats/service-kit';
import { withTimeout } from '@lobbystats/service-kit/concurrency';
import { InfluxDB, HttpError } from '@influxdata/influxdb-client';
import { DeleteAPI } from '@influxdata/influxdb-client-apis';
import { AppError } from '@lobbystats/contracts/errors';
import { ALL_TIMES, type BucketNames } from '../administration/buckets.ts';
import { rowsOf, type Series } from './influxql.ts';

const READ_TIMEOUT_MS = 5000;
const WRITE_TIMEOUT_MS = 10_000;
const LINES_PER_WRITE = 20_000;
const IDLE_TIMEOUT_MS = 60_000;

export interface InfluxConnectionOptions {
  url: string;
  token: string;
  org: string;
  buckets: BucketNames;
  readMs?: number | undefined;
  writeMs?: number | undefined;
  overdue?: Pick<WriteFenceOptions, 'settleMs' | 'lostAfterMs'> | undefined;
}

type QueryValues = Readonly<Record<string, string | number>>;

export interface InfluxConnection {
  /**
   * Results of InfluxQL statements, times in epoch seconds.
   *
   * @throws AppError `unavailable` when the server is unreachable, too slow, or responds with an error
   */
  query(bucket: keyof BucketNames, statements: string, values: QueryValues): Promise<Series[][]>;
  /**
   * Durable when it resolves, except expired points. After `unavailable` some may be written, and further writes wait
   * until that write has ended.
   *
   * @throws AppError `unavailable` when the server is unreachable, too slow or refuses temporarily
   */
  write(bucket: keyof BucketNames, lines: readonly string[]): Promise<void>;
  /** @throws AppError `unavailable` if a write has failed for a full disk in the last minute: reads go on then */
  checkDisk(): void;
  /**
   * Removes the points of a range. Fails as a write does.
   *
   * @throws AppError `unavailable` as `write`
   */
  remove(bucket: keyof BucketNames, range: PointRange): Promise<void>;
  close(): void;
}

interface PointRange {
  /** RFC 3339; both inclusive. Default: all times. */
  readonly start?: string;
  readonly stop?: string;
  /** Equality of tags and `_measurement`, joined by AND; InfluxDB deletes by nothing else. */
  readonly predicate?: string;
}

export function connectInflux(options: InfluxConnectionOptions): InfluxConnection {
  const { url, token, org, buckets, readMs = READ_TIMEOUT_MS, writeMs = WRITE_TIMEOUT_MS } = options;
  const Agent = url.startsWith('https:') ? HttpsAgent : HttpAgent;
  const reading = new Agent({ keepAlive: true, timeout: IDLE_TIMEOUT_MS });
  const writing = new Agent({ keepAlive: true, timeout: IDLE_TIMEOUT_MS });
  const reader = new InfluxDB({ url, token, timeout: readMs, transportOptions: { agent: reading } });
  // No client timeout: it would drop the connection with the write's outcome unknown.
  const writer = new InfluxDB({ url, token, timeout: 0, transportOptions: { agent: writing } });
  const disk = new FullDisk();
  const fence = createWriteFence({ ...options.overdue, onLost: () => writing.destroy() });

  const withWriteTimeout = withTimeout(writeMs, `no answer after ${writeMs} ms`);

  const fenced = async (start: () => Promise<void>): Promise<void> => {
    let response: Promise<void> | undefined;
    try {
      await fence.waitUntilClear(writeMs);
      const started = start();
      response = started;
      await withWriteTimeout(() => started);
    } catch (error) {
      const fault = writeFault(error);
      if (fault !== null) {
        if (response !== undefined) fence.hold(response);
        throw isDiskFull(error) ? disk.failed(error) : fault;
      }
    }
    fence.onResponse();
    disk.written();
  };

  const writeSome = (bucket: string, lines: readonly string[]): Promise<void> => {
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
    return fenced(() => {
      api.writeRecord(lines.join('\n'));
      return api.flush();
    });
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
        fence.onResponse();
        return rows;
      } catch (error) {
        throw readFault(error);
      }
    },
    write: async (bucket, lines) => {
      for (let from = 0; from < lines.length; from += LINES_PER_WRITE) {
        await writeSome(buckets[bucket], lines.slice(from, from + LINES_PER_WRITE));
      }
    },
    checkDisk: () => disk.check(),
    remove: (bucket, range) =>
      fenced(() =>
        new DeleteAPI(writer).postDelete({ org, bucket: buckets[bucket], body: { ...ALL_TIMES, ...range } }),
      ),
    close: () => {
      reading.destroy();
      writing.destroy();
    },
  };
}

/** InfluxDB's message for expired points; it has stored the others. */
const BEYOND_RETENTION = /partial write: dropped \d+ points outside retention policy|points beyond retention policy/;

function isDiskFull(error: unknown): boolean {
  return error instanceof HttpError && (error.body ?? '').includes('no space left on device');
}

/** The request itself is wrong. */
const PERMANENT_STATUSES: readonly number[] = [400, 413, 422];

/** Null: only expired points were left out. */
function writeFault(error: unknown): Error | null {
  if (error instanceof HttpError && error.statusCode === 422 && BEYOND_RETENTION.test(error.body ?? '')) return null;
  return readFault(error);
}

/** A missing token or bucket is `unavailable`, since a repair makes the same request succeed. */
function readFault(error: unknown): Error {
  if (error instanceof HttpError && PERMANENT_STATUSES.includes(error.statusCode)) return error;
  return new AppError('unavailable', 'The store is not available', { cause: error });
}

/** A stalled server may still execute a write for about this long after it has returned `timeout`. */
export const SETTLE_DELAY_MS = 1000;

interface WriteFence {
  hold(response: Promise<unknown>): void;
  onResponse(): void;
  /**
   * Resolves when no failed write is running.
   *
   * @throws AppError `unavailable` when one still is after `ms`
   */
  waitUntilClear(ms: number): Promise<void>;
}

interface WriteFenceOptions {
  settleMs?: number | undefined;
  lostAfterMs?: number | undefined;
  onLost: () => void;
}

/**
 * A write fence. A server that stalled may execute an abandoned write after a newer one and restore old values, so no
 * write starts until the abandoned one has ended.
 */
function createWriteFence({ settleMs = SETTLE_DELAY_MS, lostAfterMs = 60_000, onLost }: WriteFenceOptions): WriteFence {
  const inFlight = new Set<Promise<unknown>>();
  let respondsSince: number | undefined;

  return {
    hold: (response) => {
      if (inFlight.size === 0) respondsSince = undefined;
      const ended = response.catch(() => undefined).then(() => elapse(settleMs, undefined, { ref: false }));
      inFlight.add(ended);
      void ended.then(() => inFlight.delete(ended));
    },
    onResponse: () => {
      if (inFlight.size > 0) respondsSince ??= performance.now();
    },
    waitUntilClear: async (ms) => {
      if (inFlight.size === 0) return;
      if (respondsSince !== undefined && performance.now() - respondsSince >= lostAfterMs) {
        inFlight.clear();
        onLost();
        return;
      }
      await withTimeout(ms, 'an earlier write is still running')(() => Promise.all(inFlight));
    },
  };
}
