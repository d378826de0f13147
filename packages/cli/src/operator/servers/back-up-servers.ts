import { closeClient } from '@lobbystats/service-kit/mongo';
import { describeError, OperatorError, type Terminal } from '@lobbystats/service-kit';
import { makeBackupDirectory } from '../backup/backup-directory.ts';
import { newManifest, type Manifest } from '../backup/manifest.ts';
import { createProgressReporter } from '../backup/progress.ts';
import type { Servers } from '../command/deployment.ts';
import { backUpInflux } from './influx-backup.ts';
import { backUpMongo } from './back-up-mongo.ts';
import { connectMongo, influxAdmin, inspectBroker, serverDatabases, type ServerDatabase } from './servers.ts';

export interface BackUpServersOptions {
  readonly clock: () => number;
  readonly terminal: Terminal;
  readonly databases?: readonly ServerDatabase[];
  /** Leaves the users' channels out. */
  readonly withoutChannels?: boolean;
}

/** Copies the stores, also of a running system. Messages in RabbitMQ are only counted. */
export async function backUpServers(servers: Servers, to: string, options: BackUpServersOptions): Promise<Manifest> {
  const { clock, terminal, databases = serverDatabases, withoutChannels = false } = options;
  const waiting = await countQueuedMessages(servers, terminal);
  const client = await connectMongo(servers.mongodb);
  try {
    const target = makeBackupDirectory(to);
    const reportProgress = createProgressReporter('backup', terminal);
    const copying = { directory: target.path, reportProgress, withoutChannels };
    // User data first, since it can't be read again.
    const takenAtMs = clock();
    const { origin, parts } = await backUpMongo(client, databases, copying);
    if (origin === undefined) throw new OperatorError('no service has used these databases: there is nothing to copy');
    const points = await backUpInflux(influxAdmin(servers), copying);
    const { erasureKey } = servers;
    const all = [...parts, ...points];
    const manifest = newManifest({ form: 'servers', takenAtMs, origin, erasureKey, waiting, parts: all });
    target.finish(manifest);
    return manifest;
  } finally {
    await closeClient(client);
  }
}

/** Empty when the broker is unreachable. */
async function countQueuedMessages(servers: Servers, terminal: Terminal): Promise<Record<string, number>> {
  try {
    const { queues } = await inspectBroker(servers);
    return Object.fromEntries(queues.map(({ name, messages, deadLetters }) => [name, messages + deadLetters]));
  } catch (error) {
    terminal.error(
      `backup: RabbitMQ is unreachable, queued messages are neither counted nor copied: ${describeError(error)}\n`,
    );
    return {};
  }
}
