import { inspectInflux } from '@lobbystats/series-api/admin';
import { describeError } from '@lobbystats/service-kit';
import type { Servers } from '../command/deployment.ts';
import { influxAdmin, serverDatabases, type ServerDatabase } from '../servers/servers.ts';
import { checkNetwork, checkSite, probeHttp } from './check-http.ts';
import { checkMongo } from './check-mongo.ts';
import { checkRabbitMq } from './check-rabbitmq.ts';
import { checkDisk, clockFinding, findingsOf, slotFinding, type Finding } from './finding.ts';

export async function checkServers(
  servers: Servers,
  clock: () => number,
  databases: readonly ServerDatabase[] = serverDatabases,
): Promise<Finding[]> {
  const rabbitmq = await checkRabbitMq(servers, clock);
  const running = rabbitmq.consumers > 0;
  return [
    checkDisk('.'),
    ...rabbitmq.findings,
    ...(await checkInflux(servers, { clock, running })),
    ...(await checkMongo(servers, { clock, running, databases })),
    await checkSite(servers.url, { clock, running }),
    ...(await checkNetwork(servers.networkUrl, clock)),
  ];
}

async function checkInflux(
  servers: Servers,
  { clock, running }: { clock: () => number; running: boolean },
): Promise<Finding[]> {
  const part = findingsOf('influxdb');
  const { url } = servers.influxdb;
  const { host } = new URL(url);
  try {
    const { version, faults, newestSlot } = await inspectInflux(influxAdmin(servers));
    const { reading } = await probeHttp(`${url}/health`, clock);
    return [
      part.ok(`InfluxDB ${version} at ${host}`),
      ...(reading === undefined ? [] : [clockFinding('influxdb', reading)]),
      ...(faults.length === 0
        ? [part.ok('both buckets exist with the expected retention')]
        : faults.map((fault) => part.fault(fault, 'run the init job: docker compose run --rm init'))),
      ...(faults.length === 0 ? [slotFinding(newestSlot, Math.floor(clock() / 1000), running)] : []),
    ];
  } catch (error) {
    const todo = 'check that it runs, INFLUXDB_URL and INFLUXDB_ADMIN_TOKEN';
    return [part.fault(`${host}: ${describeError(error)}`, todo)];
  }
}
