import { inspectRabbitMq } from '@lobbystats/message-bus';
import { closeClient } from '@lobbystats/mongo-store';
import { OperatorError, readVersion, reasonOf, type Terminal } from '@lobbystats/service-kit';
import { makeBackupDirectory } from '../backup/backup-directory.ts';
import { fingerprintOf, type Manifest } from '../backup/manifest.ts';
import { progressLines } from '../backup/progress.ts';
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
  const waiting = await waitingIn(servers, terminal);
  const client = await connectMongo(servers.mongodb);
  try {
    const room = makeBackupDirectory(to);
    const copying = { directory: room.path, tell: progressLines('backup', terminal) };
    const { url, token, org } = servers.influxdb;
    // User data first, since it can't be read again.
    const takenAt = new Date(clock()).toISOString();
    const { origin, parts } = await backUpMongo(client, databases, copying);
    if (origin === undefined)
      throw new OperatorError('no service has ever used these databases: there is nothing to copy');
    const points = await backUpInflux({ url, token: token.reveal(), org }, copying);
    const manifest: Manifest = {
      format: 1,
      form: 'servers',
      takenAt,
      release: readVersion(),
      origin,
      forgottenKey: servers.forgottenKey === undefined ? null : fingerprintOf(servers.forgottenKey.reveal()),
      waiting,
      parts: [...parts, ...points],
    };
    room.finish(manifest);
    return manifest;
  } finally {
    await closeClient(client);
  }
}

/** Works without a broker. */
async function waitingIn(servers: Servers, terminal: Terminal): Promise<Record<string, number>> {
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
    terminal.error(`backup: RabbitMQ does not say what waits in it, and that is not copied: ${reasonOf(error)}\n`);
    return {};
  }
}
