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
