import { inspectRabbitMq } from '@lobbystats/message-bus';
import { closeClient } from '@lobbystats/mongo-store';
import { expectOwnToken } from '@lobbystats/series-api';
import { OperatorError, type Terminal } from '@lobbystats/service-kit';
import { verifyPart, type Manifest } from '../backup/manifest.ts';
import { progressLines } from '../backup/progress.ts';
import type { Servers } from '../command/deployment.ts';
import { isRoomInInflux, restoreInflux } from './restore-influx.ts';
import { beginRestoring, expectDatabases, isHalfRestored, isRoomInMongo, restoreMongo } from './restore-mongo.ts';
import { connectMongo, serverDatabases, type ServerDatabase } from './server-databases.ts';

export interface RestoreServersOptions {
  readonly from: string;
  readonly manifest: Manifest;
  readonly force: boolean;
  readonly clock: () => number;
  readonly databases?: readonly ServerDatabase[];
}

/**
 * Services can't open the databases until the restore is complete.
 *
 * @throws OperatorError when a service runs, something is there already (unless `force`), or the copy is not whole
 */
export async function restoreServers(
  servers: Servers,
  { from, manifest, force, clock, databases = serverDatabases }: RestoreServersOptions,
  terminal: Terminal,
): Promise<void> {
  for (const part of manifest.parts) await verifyPart(from, part);
  await expectNobody(servers);
  const { url, token, org } = servers.influxdb;
  const admin = { url, token: token.reveal(), org };
  await expectOwnToken(admin);
  const client = await connectMongo(servers.mongodb);
  try {
    await expectDatabases(client, databases, manifest);
    if (!force && !(await isHalfRestored(client, databases))) {
      const isRoom = (await isRoomInMongo(client, databases)) && (await isRoomInInflux(admin));
      if (!isRoom) throw new OperatorError('there are data already: --force replaces them, for good');
    }
    await beginRestoring(client, databases);
    const restoring = { from, manifest, tell: progressLines('restore', terminal) };
    const expired = await restoreInflux(admin, { ...restoring, nowMs: clock() });
    if (expired > 0) terminal.error(`restore: ${expired} points have expired since, and are left out\n`);
    await restoreMongo(client, databases, restoring);
  } finally {
    await closeClient(client);
  }
}

/** A running service would write during the restore. */
async function expectNobody(servers: Servers): Promise<void> {
  const { managementUrl, user, password, vhost } = servers.rabbitmq;
  const { queues } = await inspectRabbitMq({
    managementUrl,
    adminUser: user,
    adminPassword: password.reveal(),
    vhost,
  });
  const running = queues.filter(({ consumers }) => consumers > 0).map(({ service }) => service);
  if (running.length === 0) return;
  throw new OperatorError(`${running.join(', ')} run: stop the services first, and leave the three servers running`);
}
