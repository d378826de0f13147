import { setTimeout as elapse } from 'node:timers/promises';
import { createMutex } from '@lobbystats/service-kit/concurrency';
import { secondsClock, type EpochSeconds } from '@lobbystats/contracts';
import { HttpError } from '@influxdata/influxdb-client';
import { AppError, hasCode, StartupError } from '@lobbystats/contracts/errors';
import { adminClient, bucketOf, retryUntilAvailable } from '../administration/management.influx.ts';
import { BUCKET_RULES, BUCKETS, type BucketNames, type BucketRules } from '../administration/buckets.ts';
import {
  connectInflux,
  SETTLE_DELAY_MS,
  type InfluxConnection,
  type InfluxConnectionOptions,
} from './connection.influx.ts';
import { lineOf } from './lines.ts';

const TOKEN = /^[\x21-\x7e]+$/;

export interface InfluxSeriesOptions extends Omit<InfluxConnectionOptions, 'buckets'> {
  origin: string;
  clock: () => number;
  onExpired?: (points: number) => void;
  buckets?: BucketNames;
  rules?: Readonly<Record<keyof BucketNames, BucketRules>>;
  waitMs?: number;
}

/** An open connection to the two buckets, and what its queries share. */
export interface InfluxSeries {
  readonly influx: InfluxConnection;
  readonly horizon: RetentionWindow;
  readonly withMutex: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onExpired: (points: number) => void;
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Bounds reads. Older data expires with its shard; nothing is deleted explicitly, since deletions slow reads. */
interface RetentionWindow {
  /** Exclusive; matches by their end. */
  snapshots(): EpochSeconds;
  retained(): EpochSeconds;
  dailies(): EpochSeconds;
  advance(to: { snapshots?: EpochSeconds | undefined; dailies?: EpochSeconds }): void;
}

function createRetentionWindow(everySeconds: number, now: () => EpochSeconds): RetentionWindow {
  let purged = 0;
  let days = 0;
  const retained = (): number => (everySeconds === 0 ? 0 : now() - everySeconds);
  return {
    snapshots: () => Math.max(purged, retained()),
    retained,
    dailies: () => days,
    advance: ({ snapshots = 0, dailies = 0 }) => {
      purged = Math.max(purged, snapshots);
      days = Math.max(days, dailies);
    },
  };
}

/**
 * The series in two buckets of an InfluxDB 2 server. One writer.
 *
 * @throws StartupError when the server is not provisioned (see provisionInflux), or the data belong to another network or a newer release
 * @throws AppError `unavailable` when the server is still unreachable after `waitMs`
 */
export async function openInflux(options: InfluxSeriesOptions): Promise<InfluxSeries> {
  const { url, org, origin, buckets = BUCKETS, rules = BUCKET_RULES, waitMs = 30_000 } = options;
  if (!TOKEN.test(options.token))
    throw new StartupError('INFLUX_TOKEN is not a token: it is empty or has unprintable characters');
  const influx = connectInflux({ ...options, buckets });
  try {
    await retryUntilAvailable(() => checkServer(influx, options, { buckets, rules }), waitMs);
    await retryUntilAvailable(() => claimBuckets(influx, `InfluxDB's organisation ${org}`, origin), waitMs);
    // A previous process's last write may still be running.
    await elapse(options.overdue?.settleMs ?? SETTLE_DELAY_MS);
  } catch (error) {
    influx.close();
    if (!hasCode(error, 'unavailable')) throw error;
    throw new AppError('unavailable', `InfluxDB at ${new URL(url).host} can't be reached`, { cause: error });
  }
  const now = secondsClock(options.clock);
  const horizon = createRetentionWindow(rules.snapshots.everySeconds, now);
  return {
    influx,
    horizon,
    withMutex: createMutex(),
    onExpired: options.onExpired ?? (() => undefined),
    check: async () => {
      await influx.query('daily', 'SELECT schemaVersion FROM store_identity WHERE time <= 0', {});
      influx.checkDisk();
    },
    close: () => {
      influx.close();
      return Promise.resolve();
    },
  };
}

interface ExpectedBuckets {
  buckets: BucketNames;
  rules: Readonly<Record<keyof BucketNames, BucketRules>>;
}

/** Checks the token, the buckets and their retention. */
async function checkServer(
  influx: InfluxConnection,
  { url, token }: InfluxSeriesOptions,
  { buckets, rules }: ExpectedBuckets,
): Promise<void> {
  const { host } = new URL(url);
  const client = adminClient({ url, token });
  for (const kind of ['snapshots', 'daily'] as const) {
    const bucket = await bucketOf(client, buckets[kind]);
    if (bucket === undefined) {
      throw new StartupError(
        `InfluxDB at ${host} has no bucket ${buckets[kind]} that INFLUX_TOKEN can read: run the init job`,
      );
    }
    const everySeconds = bucket.retentionRules[0]?.everySeconds ?? 0;
    if (everySeconds !== rules[kind].everySeconds) {
      throw new StartupError(
        `InfluxDB's bucket ${buckets[kind]} keeps ${everySeconds} s, not ${rules[kind].everySeconds} s: run the init job`,
      );
    }
    await verifyWritePermission(influx, kind, `InfluxDB's bucket ${buckets[kind]} at ${host}`);
  }
}

/** A comment writes nothing but needs write permission. */
async function verifyWritePermission(influx: InfluxConnection, bucket: keyof BucketNames, what: string): Promise<void> {
  try {
    await influx.write(bucket, ['# permission check']);
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error;
    if (!(cause instanceof HttpError) || cause.statusCode >= 500) throw error;
    throw new StartupError(`${what} can't be written with INFLUX_TOKEN (${cause.statusCode}): run the init job`);
  }
}

/** Increment with incompatible changes. */
const SCHEMA_VERSION = 1;

/**
 * Checks origin and schema version, and stamps new buckets.
 *
 * @throws StartupError when the data belong to another network or a newer release
 */
async function claimBuckets(influx: InfluxConnection, location: string, origin: string): Promise<void> {
  const [series] = await influx.query('daily', 'SELECT origin, schemaVersion FROM store_identity WHERE time <= 0', {});
  const known = series?.[0]?.values[0];
  const [, stored = origin, version = SCHEMA_VERSION] = known ?? [];
  if (stored !== origin) {
    throw new StartupError(
      `${location} holds data of the network "${String(stored)}" and this one is "${origin}": set NETWORK_ORIGIN back, or ` +
        'use another organisation (INFLUXDB_ORG)',
    );
  }
  if (Number(version) > SCHEMA_VERSION) {
    throw new StartupError(
      `${location} has schema version ${Number(version)}, and this release knows up to ${SCHEMA_VERSION}: run a newer release`,
    );
  }
  const identity = { origin, schemaVersion: SCHEMA_VERSION };
  await influx.write('daily', [lineOf({ measurement: 'store_identity', time: '0' }, identity)]);
}
