import type { Servers } from '../command/deployment.ts';
import { serverDatabases, type ServerDatabase } from '../servers/server-databases.ts';
import type { Finding } from './finding.ts';
import { checkInflux } from './check-influx.ts';
import { checkDisk } from './check-machine.ts';
import { checkMongo } from './check-mongo.ts';
import { checkRabbitMq } from './check-rabbitmq.ts';
import { checkNetwork, checkSite } from './check-web.ts';

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
