import { closeClient } from '@lobbystats/service-kit/mongo';
import { verifyAdminToken } from '@lobbystats/series-api/admin';
import { OperatorError, type Terminal } from '@lobbystats/service-kit';
import { verifyPart, type Manifest } from '../backup/manifest.ts';
import { createProgressReporter } from '../backup/progress.ts';
import type { Servers } from '../command/deployment.ts';
import { isInfluxEmpty, restoreInflux } from './influx-backup.ts';
import { beginRestore, verifyDatabases, isPartiallyRestored, isMongoEmpty, restoreMongo } from './restore-mongo.ts';
import { connectMongo, influxAdmin, inspectBroker, serverDatabases, type ServerDatabase } from './servers.ts';

export interface RestoreServersOptions {
  readonly from: string;
  readonly manifest: Manifest;
  readonly force: boolean;
  readonly clock: () => number;
  readonly databases?: readonly ServerDatabase[] | undefined;
}

/**
 * Services can't open the databases until the restore is complete.
 *
 * @throws OperatorError when a service runs, the servers have data (unless `force`), or the backup is incomplete
 */
export async function restoreServers(
  servers: Servers,
  { from, manifest, force, clock, databases = serverDatabases }: RestoreServersOptions,
  terminal: Terminal,
): Promise<void> {
  for (const part of manifest.parts) await verifyPart(from, part);
  await ensureServicesStopped(servers);
  const influx = influxAdmin(servers);
  await verifyAdminToken(influx);
  const client = await connectMongo(servers.mongodb);
  try {
    await verifyDatabases(client, databases, manifest);
    if (!force && !(await isPartiallyRestored(client, databases))) {
      const areEmpty = await Promise.all([isMongoEmpty(client, databases), isInfluxEmpty(influx)]);
      if (areEmpty.includes(false)) throw new OperatorError('the servers have data: --force permanently replaces it');
    }
    await beginRestore(client, databases);
    const restoring = { from, manifest, reportProgress: createProgressReporter('restore', terminal) };
    const expired = await restoreInflux(influx, { ...restoring, nowMs: clock() });
    if (expired > 0) terminal.error(`restore: ${expired} points have expired and were skipped\n`);
    await restoreMongo(client, databases, restoring);
  } finally {
    await closeClient(client);
  }
}

/** A running service would write during the restore. */
async function ensureServicesStopped(servers: Servers): Promise<void> {
  const { queues } = await inspectBroker(servers);
  const running = queues.filter(({ consumers }) => consumers > 0).map(({ name }) => name);
  if (running.length === 0) return;
  throw new OperatorError(`${running.join(', ')} run: stop the services first, and leave the three servers running`);
}
