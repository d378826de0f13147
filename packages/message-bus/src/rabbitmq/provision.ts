import { hasCode } from '@lobbystats/errors';
import pRetry from 'p-retry';
import { ManagementApi } from './management-api.ts';
import { provisionLog } from './provision-log.ts';
import { provisionTopology } from './provision-topology.ts';
import { provisionUser } from './provision-user.ts';
import type { BusUser } from './grants.ts';

export interface ProvisionRabbitMqOptions {
  /** The management API, `http(s)://host:port`. */
  managementUrl: string;
  /** The administrator. Default: the URL's own user. */
  adminUser?: string;
  adminPassword?: string;
  vhost: string;
  /** The users to be made or corrected, each with its password. */
  users: Partial<Record<BusUser, string>>;
  /** Stands before the names of users, where several installations share one broker. Default: nothing. */
  userPrefix?: string;
  /** Told what was done, a line at a time. */
  log: (line: string) => void;
  /** How long to wait for the broker, in milliseconds. Default: 30 s. */
  waitMs?: number;
}

const LOOK_AGAIN_MS = 500;

/**
 * Makes or corrects all that the bus needs in RabbitMQ: the vhost, exchanges, queues, bindings, the log and its identity,
 * and users with the least rights. May be run again at any time, also while the bus is in use; loses no message.
 *
 * @throws RefusalError when something there has other arguments than it must, or the administrator is refused
 * @throws AppError `unavailable` when the broker is away
 */
export async function provisionRabbitMq(options: ProvisionRabbitMqOptions): Promise<void> {
  const { managementUrl, adminUser, adminPassword, vhost, users, userPrefix = '', log, waitMs = 30_000 } = options;
  const api = new ManagementApi({ url: managementUrl, user: adminUser, password: adminPassword });
  await pRetry(() => api.get('overview'), {
    retries: Infinity,
    factor: 1,
    minTimeout: LOOK_AGAIN_MS,
    maxRetryTime: waitMs,
    shouldRetry: ({ error }) => hasCode(error, 'unavailable'),
  });
  if ((await api.get('vhosts', vhost)) === undefined) {
    await api.put({}, 'vhosts', vhost);
    log(`RabbitMQ: made the vhost ${vhost}`);
  }
  await provisionTopology(api, vhost, log);
  await provisionLog(api, vhost, log);
  for (const [user, password] of Object.entries(users) as [BusUser, string][]) {
    await provisionUser(api, { vhost, user, name: `${userPrefix}${user}`, password, log });
  }
}
