import { setTimeout as elapse } from 'node:timers/promises';
import { HttpError } from '@influxdata/influxdb-client';
import { AppError, hasCode, RefusalError } from '@lobbystats/errors';
import { serially } from '@lobbystats/service-kit';
import type { SeriesStore } from '../../domain/series-store.ts';
import { adminClient, bucketOf } from './management.ts';
import { BUCKET_RULES, BUCKETS, type BucketNames, type BucketRules } from './buckets.ts';
import { dailies } from './dailies.ts';
import { createHorizon } from './horizon.ts';
import { connectInflux, type InfluxConnection, type InfluxConnectionOptions } from './influx-connection.ts';
import { matchReads } from './match-reads.ts';
import { SETTLE_MS } from './overdue-writes.ts';
import { purging } from './purging.ts';
import { rollingUp } from './rolling-up.ts';
import { slotReads } from './slot-reads.ts';
import { slotWriting } from './slot-writing.ts';
import { claimBuckets } from './store-identity.ts';
import { titles } from './titles.ts';
import { waitFor } from './wait-for.ts';

const TOKEN = /^[\x21-\x7e]+$/;

export interface InfluxSeriesStoreOptions {
  url: string;
  token: string;
  org: string;
  origin: string;
  clock: () => number;
  onExpired?: (points: number) => void;
  buckets?: BucketNames;
  rules?: Readonly<Record<keyof BucketNames, BucketRules>>;
  waitMs?: number;
  readMs?: number;
  writeMs?: number;
  overdue?: InfluxConnectionOptions['overdue'];
}

/**
 * The series in two buckets of an InfluxDB 2 server. One writer.
 *
 * @throws RefusalError when the server was not prepared (see provisionInflux), or the data are of another network or newer
 * @throws AppError `unavailable` when the server is still away after `waitMs`
 */
export async function openInfluxSeriesStore(options: InfluxSeriesStoreOptions): Promise<SeriesStore> {
  const { url, org, origin, buckets = BUCKETS, rules = BUCKET_RULES, waitMs = 30_000 } = options;
  if (!TOKEN.test(options.token))
    throw new RefusalError('INFLUX_TOKEN is no token: it is empty or has unprintable characters');
  const influx = connectInflux({ ...options, buckets });
  try {
    await waitFor(() => checkServer(influx, options, { buckets, rules }), waitMs);
    await waitFor(() => claimBuckets(influx, `InfluxDB's organisation ${org}`, origin), waitMs);
    // A previous process's last write may still be running.
    await elapse(options.overdue?.settleMs ?? SETTLE_MS);
  } catch (error) {
    influx.close();
    if (!hasCode(error, 'unavailable')) throw error;
    throw new AppError('unavailable', `InfluxDB at ${new URL(url).host} can't be reached`, { cause: error });
  }
  const now = () => Math.floor(options.clock() / 1000);
  const horizon = createHorizon(rules.snapshots.everySeconds, now);
  const parts = { influx, horizon, inTurn: serially(), onExpired: options.onExpired ?? (() => undefined) };
  return {
    ...slotReads(parts),
    ...slotWriting(parts),
    ...matchReads(parts),
    ...titles(parts),
    ...rollingUp(parts),
    ...dailies(parts),
    ...purging(parts),
    check: async () => {
      await influx.query('daily', 'SELECT schemaVersion FROM store_identity WHERE time <= 0', {});
    },
    close: () => {
      influx.close();
      return Promise.resolve();
    },
  };
}

interface Expected {
  buckets: BucketNames;
  rules: Readonly<Record<keyof BucketNames, BucketRules>>;
}

/** Checks the token, the buckets and their retention. */
async function checkServer(
  influx: InfluxConnection,
  { url, token }: InfluxSeriesStoreOptions,
  { buckets, rules }: Expected,
): Promise<void> {
  const { host } = new URL(url);
  const client = adminClient({ url, token });
  for (const kind of ['snapshots', 'daily'] as const) {
    const bucket = await bucketOf(client, buckets[kind]);
    if (bucket === undefined) {
      throw new RefusalError(
        `InfluxDB at ${host} has no bucket ${buckets[kind]} that INFLUX_TOKEN can read: run the init job`,
      );
    }
    const everySeconds = bucket.retentionRules[0]?.everySeconds ?? 0;
    if (everySeconds !== rules[kind].everySeconds) {
      throw new RefusalError(
        `InfluxDB's bucket ${buckets[kind]} keeps ${everySeconds} s, not ${rules[kind].everySeconds} s: run the init job`,
      );
    }
    await checkWriting(influx, kind, `InfluxDB's bucket ${buckets[kind]} at ${host}`);
  }
}

/** A comment writes nothing but needs write permission. */
async function checkWriting(influx: InfluxConnection, bucket: keyof BucketNames, what: string): Promise<void> {
  try {
    await influx.write(bucket, ['# may it be written?']);
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error;
    if (!(cause instanceof HttpError) || cause.statusCode >= 500) throw error;
    throw new RefusalError(`${what} can't be written with INFLUX_TOKEN (${cause.statusCode}): run the init job`);
  }
}
