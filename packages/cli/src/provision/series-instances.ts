import { seriesQueues, type QueueName } from '@lobbystats/contracts';
import { allQueues } from '@lobbystats/service-kit/bus';

/** The queues of a deployment with that many instances of series-api, one for each server in INFLUXDB_URL. */
export function consumedQueues(instances: number): QueueName[] {
  const unused: readonly QueueName[] = seriesQueues.slice(instances);
  return allQueues.filter((queue) => !unused.includes(queue));
}
