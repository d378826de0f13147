import { randomBytes } from 'node:crypto';
import { hasCode, StartupError } from '@lobbystats/contracts/errors';
import pRetry from 'p-retry';
import { z } from 'zod';
import { ManagementApi } from './management-api.ts';
import { provisionTopology } from './provision-topology.ts';
import { LOG, LOG_IDENTITY, LOG_MARKER } from './topology.ts';
import { provisionUser, type BusUser } from './users.ts';

export interface ProvisionRabbitMqOptions {
  /** May list several nodes, as `http://a:15672,b:15672`. */
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
 * @throws StartupError when a resource exists with other arguments, or the administrator is refused
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
  if ((await api.get('vhosts', vhost)) === undefined) {
    await api.put({}, 'vhosts', vhost);
    log(`RabbitMQ: created the vhost ${vhost}`);
  }
  await provisionTopology(api, { vhost, log });
  await provisionLog(api, vhost, log);
  for (const [user, password] of Object.entries(users) as [BusUser, string][]) {
    await provisionUser(api, { vhost, user, name: `${userPrefix}${user}`, password, log });
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
