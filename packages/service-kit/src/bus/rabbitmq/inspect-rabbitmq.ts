import type { ServiceName } from '@lobbystats/contracts';
import { z } from 'zod';
import { compareTopology } from './compare-topology.ts';
import { ManagementApi } from './management-api.ts';
import { deadLetterQueue, queuedServices } from './topology.ts';

export interface InspectRabbitMqOptions {
  readonly managementUrl: string;
  readonly adminUser: string;
  readonly adminPassword: string;
  readonly vhost: string;
}

interface QueueState {
  readonly name: ServiceName;
  readonly exists: boolean;
  readonly messages: number;
  readonly consumers: number;
  readonly deadLetters: number;
}

export interface RabbitMqState {
  readonly version: string;
  readonly faults: readonly string[];
  readonly alarms: readonly string[];
  readonly freeDiskBytes: number | undefined;
  readonly queues: readonly QueueState[];
}

const overview = z.object({ rabbitmq_version: z.string() });
const nodes = z.array(
  z.object({
    name: z.string(),
    disk_free: z.number().optional(),
    disk_free_alarm: z.boolean().optional(),
    mem_alarm: z.boolean().optional(),
    running: z.boolean().optional(),
  }),
);
const queueRows = z.array(z.object({ name: z.string(), messages: z.number().default(0) }));
const consumerRows = z.array(z.object({ queue: z.object({ name: z.string() }) }));

/**
 * Reads the state of a vhost; changes nothing.
 *
 * @throws StartupError when the administrator is refused
 * @throws AppError `unavailable` when the broker is away
 */
export async function inspectRabbitMq(options: InspectRabbitMqOptions): Promise<RabbitMqState> {
  const { managementUrl, adminUser, adminPassword, vhost } = options;
  const api = new ManagementApi({ url: managementUrl, user: adminUser, password: adminPassword });
  const { rabbitmq_version: version } = overview.parse(await api.get('overview'));
  const found = nodes.parse(await api.get('nodes'));
  const free = found.flatMap(({ disk_free: bytes }) => bytes ?? []);
  const queues = await api.get('queues', vhost);
  const about = {
    version,
    alarms: found.flatMap(alarmsOf),
    freeDiskBytes: free.length === 0 ? undefined : Math.min(...free),
  };
  if (queues === undefined) return { ...about, faults: [`there is no vhost ${vhost}`], queues: [] };
  const counted = new Map(queueRows.parse(queues).map((queue) => [queue.name, queue]));
  // Queue statistics lag by seconds.
  const consumers = consumerRows.parse(await api.get('consumers', vhost)).map(({ queue }) => queue.name);
  const { missing, different } = await compareTopology(api, vhost);
  return {
    ...about,
    faults: [...missing.map((what) => `${what} is missing or was changed`), ...different],
    queues: queuedServices.map((name) => ({
      name,
      exists: counted.has(name),
      messages: counted.get(name)?.messages ?? 0,
      consumers: consumers.filter((queue) => queue === name).length,
      deadLetters: counted.get(deadLetterQueue(name))?.messages ?? 0,
    })),
  };
}

function alarmsOf({
  name,
  disk_free_alarm: disk,
  mem_alarm: memory,
  running,
}: z.infer<typeof nodes>[number]): string[] {
  return [
    ...(running === false ? [`${name} is not running`] : []),
    ...(disk === true ? [`${name} is short of disk`] : []),
    ...(memory === true ? [`${name} is short of memory`] : []),
  ];
}
