/** The services of the system, and with them the names of queues, users and rooms. */
export const serviceNames = [
  'collector',
  'series-api',
  'catalog-api',
  'user-api',
  'reputation-api',
  'gateway',
] as const;
export type ServiceName = (typeof serviceNames)[number];
