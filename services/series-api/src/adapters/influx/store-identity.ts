import { Point } from '@influxdata/influxdb-client';
import { StartupError } from '@lobbystats/errors';
import type { InfluxConnection } from './influx-connection.ts';

/** Increment with incompatible changes. */
const SCHEMA_VERSION = 1;

/**
 * Checks origin and schema version, and stamps new buckets.
 *
 * @throws StartupError when the data belong to another network or a newer release
 */
export async function claimBuckets(influx: InfluxConnection, location: string, origin: string): Promise<void> {
  const [series] = await influx.query('daily', 'SELECT origin, schemaVersion FROM store_identity WHERE time <= 0', {});
  const [, stored = origin, version = SCHEMA_VERSION] = series?.[0]?.values[0] ?? [];
  if (stored !== origin) {
    throw new StartupError(
      `${location} holds data of the network "${String(stored)}" and this one is "${origin}": set NETWORK_ORIGIN back, or ` +
        'use another organisation (INFLUX_ORG)',
    );
  }
  if (Number(version) > SCHEMA_VERSION) {
    throw new StartupError(
      `${location} has schema version ${Number(version)}, and this release knows up to ${SCHEMA_VERSION}: run a newer release`,
    );
  }
  const identity = new Point('store_identity').stringField('origin', origin).intField('schemaVersion', SCHEMA_VERSION);
  await influx.write('daily', [identity.timestamp('0').toString()]);
}
