/** Also the names of queues and of users of RabbitMQ and the databases. */
export const serviceNames = [
  'collector',
  'series-api',
  'catalog-api',
  'user-api',
  'reputation-api',
  'gateway',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Time in which series-api answers a request, or rejects it, in milliseconds. */
export const SERIES_RESPONSE_TIMEOUT_MS = 1500;

/** Queues of a second instance of a service, which has a store of its own and receives the same messages. */
const secondQueues = { 'series-api-2': 'series-api' } as const satisfies Record<string, ServiceName>;

/** A queue has the name of the service that consumes it, unless it is that of a second instance. */
export type QueueName = ServiceName | keyof typeof secondQueues;

/** Queues of the instances of series-api, the first one first. */
export const seriesQueues = ['series-api', 'series-api-2'] as const satisfies readonly QueueName[];

export const secondQueueNames = Object.keys(secondQueues) as readonly (keyof typeof secondQueues)[];

export function serviceOf(queue: QueueName): ServiceName {
  return queue in secondQueues ? secondQueues[queue as keyof typeof secondQueues] : (queue as ServiceName);
}
