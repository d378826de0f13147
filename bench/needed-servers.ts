const VARIABLES = {
  rabbitmq: ['TEST_RABBITMQ_URL', 'TEST_RABBITMQ_MANAGEMENT_URL'],
  influxdb: ['TEST_INFLUXDB_URL', 'TEST_INFLUXDB_TOKEN', 'TEST_INFLUXDB_ORG'],
  mongodb: ['TEST_MONGODB_URL'],
} as const;

/** Whether the environment names the servers that a benchmark needs; says which variables are missing if it doesn't. */
export function areServersNamed(servers: readonly (keyof typeof VARIABLES)[], say: (line: string) => void): boolean {
  const missing = servers.flatMap((server) => VARIABLES[server]).filter((name) => (process.env[name] ?? '') === '');
  if (missing.length > 0) say(`left out: it needs servers, which ${missing.join(', ')} would name`);
  return missing.length === 0;
}
