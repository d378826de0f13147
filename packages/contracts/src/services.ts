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

/** Time in which series-api and catalog-api answer a read, or reject it, in milliseconds: about half of what the gateway waits. */
export const READ_TIMEOUT_MS = 2400;
