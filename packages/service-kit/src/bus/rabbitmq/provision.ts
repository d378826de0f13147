import { randomBytes } from 'node:crypto';
import { hasCode, StartupError } from '@lobbystats/contracts/errors';
import pRetry from 'p-retry';
import { z } from 'zod';
import { compareTopology, describeBinding } from './compare-topology.ts';
import { ManagementApi } from './management-api.ts';
import { definitions, LOG, LOG_IDENTITY, LOG_MARKER } from './topology.ts';
import { userDefinitions, type BusUser } from './users.ts';

export interface ProvisionRabbitMqOptions {
  managementUrl: string;
  adminUser?: string;
  adminPassword?: string;
  vhost: string;
  users: Partial<Record<BusUser, string>>;
  /** Prefix of user names where installations share a broker. */
  userPrefix?: string;
  log: (line: string) => void;
  waitMs?: number;
}

const RETRY_INTERVAL_MS = 500;

/**
 * Creates or corrects vhost, topology, log and users with least privilege. Idempotent, safe on a bus in use, loses no
 * message.
 *
 * @throws StartupError when a queue exists with other arguments, or the administrator is refused
 * @throws AppError `unavailable` when the broker is unreachable
 */
export async function provisionRabbitMq(options: ProvisionRabbitMqOptions): Promise<void> {
  const { managementUrl, adminUser, adminPassword, vhost, users, userPrefix = '', log, waitMs = 30_000 } = options;
  const api = new ManagementApi({ url: managementUrl, user: adminUser, password: adminPassword });
  await pRetry(() => api.get('overview'), {
    retries: Infinity,
    factor: 1,
    minTimeout: RETRY_INTERVAL_MS,
    maxRetryTime: waitMs,
    shouldRetry: ({ error }) => hasCode(error, 'unavailable'),
  });
  if ((await api.get('vhosts', vhost)) === undefined) await api.put({}, 'vhosts', vhost);
  await provisionTopology(api, vhost, log);
  await provisionLog(api, vhost, log);
  await api.post(userDefinitions(users, { vhost, userPrefix }), 'definitions');
  log(`RabbitMQ: set passwords and permissions of ${Object.keys(users).join(', ')}`);
}

async function provisionTopology(api: ManagementApi, vhost: string, log: (line: string) => void): Promise<void> {
  const { missing, different, stale } = await compareTopology(api, vhost);
  if (different.length > 0) {
    throw new StartupError(
      `RabbitMQ can't change what exists in the vhost ${vhost}: ${different.join('; ')}. Let the services empty these queues, ` +
        `stop the services, delete each queue (rabbitmqctl -p ${vhost} delete_queue NAME), and run the init job again`,
    );
  }
  // The identity of another log.
  if (missing.includes(`the queue ${LOG}`)) await api.delete('queues', vhost, LOG_IDENTITY);
  await api.post(definitions(), 'definitions', vhost);
  if (missing.length > 0) log(`RabbitMQ: created or changed ${missing.join(', ')}`);
  for (const binding of stale) {
    const { source, destination, routing_key: key } = binding;
    // RabbitMQ's name of a binding without arguments.
    await api.delete('bindings', vhost, 'e', source, 'q', destination, encodeURIComponent(key) || '~');
    log(`RabbitMQ: removed ${describeBinding(binding)}`);
  }
}

const statistics = z.object({ messages: z.number().optional() });

/** Writes the log's marker and id once. Safe to interrupt and repeat: the first id counts. */
async function provisionLog(api: ManagementApi, vhost: string, log: (line: string) => void): Promise<void> {
  const { messages = 0 } = statistics.parse((await api.get('queues', vhost, LOG_IDENTITY)) ?? {});
  if (messages > 0) return;
  await publishMarker(api, vhost, LOG, LOG_MARKER);
  await publishMarker(api, vhost, LOG_IDENTITY, randomBytes(8).toString('hex'));
  log(`RabbitMQ: published the identity of ${LOG}`);
}

async function publishMarker(api: ManagementApi, vhost: string, queue: string, payload: string): Promise<void> {
  const properties = { delivery_mode: 2, type: LOG_MARKER };
  const message = { properties, routing_key: queue, payload, payload_encoding: 'string' };
  const response = await api.post(message, 'exchanges', vhost, 'amq.default', 'publish');
  if (!z.object({ routed: z.literal(true) }).safeParse(response).success) {
    throw new StartupError(`RabbitMQ did not route a message to ${queue}`);
  }
}
