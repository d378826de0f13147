import type { QueueName } from '@lobbystats/contracts';
import { allQueues } from '@lobbystats/message-bus';

/** Queues of the instances of series-api, in the order of their servers in INFLUXDB_URL. */
export const seriesQueues = ['series-api', 'series-api-2'] as const satisfies readonly QueueName[];

/** The queues of a deployment with that many instances of series-api. */
export function consumedQueues(instances: number): QueueName[] {
  const unused: readonly QueueName[] = seriesQueues.slice(instances);
  return allQueues.filter((queue) => !unused.includes(queue));
}
