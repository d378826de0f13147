const VARIABLES = {
  rabbitmq: ['TEST_RABBITMQ_URL', 'TEST_RABBITMQ_MANAGEMENT_URL'],
  influxdb: ['TEST_INFLUXDB_URL', 'TEST_INFLUXDB_TOKEN', 'TEST_INFLUXDB_ORG'],
  mongodb: ['TEST_MONGODB_URL'],
} as const;

/** Whether the environment names the servers that a benchmark needs; prints missing variables. */
export function areServersConfigured(
  servers: readonly (keyof typeof VARIABLES)[],
  say: (line: string) => void,
): boolean {
  const missing = servers.flatMap((server) => VARIABLES[server]).filter((name) => (process.env[name] ?? '') === '');
  if (missing.length > 0) say(`skipped: set ${missing.join(', ')}`);
  return missing.length === 0;
}
