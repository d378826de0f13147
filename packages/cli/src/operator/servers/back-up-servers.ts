import { inspectRabbitMq } from '@lobbystats/message-bus';
import { closeClient } from '@lobbystats/mongo-store';
import { OperatorError, readVersion, describeError, type Terminal } from '@lobbystats/service-kit';
import { makeBackupDirectory } from '../backup/backup-directory.ts';
import { fingerprintOf, type Manifest } from '../backup/manifest.ts';
import { createProgressReporter } from '../backup/progress.ts';
import type { Servers } from '../command/deployment.ts';
import { backUpInflux } from './back-up-influx.ts';
import { backUpMongo } from './back-up-mongo.ts';
import { connectMongo, serverDatabases, type ServerDatabase } from './server-databases.ts';

export interface BackUpServersOptions {
  readonly clock: () => number;
  readonly terminal: Terminal;
  readonly databases?: readonly ServerDatabase[];
}

/** Copies the stores, also of a running system. Messages in RabbitMQ are only counted. */
export async function backUpServers(servers: Servers, to: string, options: BackUpServersOptions): Promise<Manifest> {
  const { clock, terminal, databases = serverDatabases } = options;
  const waiting = await countQueuedMessages(servers, terminal);
  const client = await connectMongo(servers.mongodb);
  try {
    const target = makeBackupDirectory(to);
    const copying = { directory: target.path, reportProgress: createProgressReporter('backup', terminal) };
    const { url, token, org } = servers.influxdb;
    // User data first, since it can't be read again.
    const takenAt = new Date(clock()).toISOString();
    const { origin, parts } = await backUpMongo(client, databases, copying);
    if (origin === undefined) throw new OperatorError('no service has used these databases: there is nothing to copy');
    const points = await backUpInflux({ url, token: token.reveal(), org }, copying);
    const manifest: Manifest = {
      format: 1,
      form: 'servers',
      takenAt,
      release: readVersion(),
      origin,
      forgottenKey: servers.erasureKey === undefined ? null : fingerprintOf(servers.erasureKey.reveal()),
      waiting,
      parts: [...parts, ...points],
    };
    target.finish(manifest);
    return manifest;
  } finally {
    await closeClient(client);
  }
}

/** Empty when the broker is unreachable. */
async function countQueuedMessages(servers: Servers, terminal: Terminal): Promise<Record<string, number>> {
  const { managementUrl, user, password, vhost } = servers.rabbitmq;
  try {
    const { queues } = await inspectRabbitMq({
      managementUrl,
      adminUser: user,
      adminPassword: password.reveal(),
      vhost,
    });
    return Object.fromEntries(queues.map(({ service, messages, deadLetters }) => [service, messages + deadLetters]));
  } catch (error) {
    terminal.error(
      `backup: RabbitMQ is unreachable, queued messages are neither counted nor copied: ${describeError(error)}\n`,
    );
    return {};
  }
}
