import { hasCode } from '@lobbystats/errors';
import pRetry from 'p-retry';
import { ManagementApi } from './management-api.ts';
import { provisionLog } from './provision-log.ts';
import { provisionTopology } from './provision-topology.ts';
import { provisionUser } from './provision-user.ts';
import type { BusUser } from './grants.ts';

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
  await provisionTopology(api, vhost, log);
  await provisionLog(api, vhost, log);
  for (const [user, password] of Object.entries(users) as [BusUser, string][]) {
    await provisionUser(api, { vhost, user, name: `${userPrefix}${user}`, password, log });
  }
}
