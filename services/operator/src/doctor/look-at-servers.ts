import type { Servers } from '../command/deployment.ts';
import { serverDatabases, type ServerDatabase } from '../servers/server-databases.ts';
import type { Finding } from './finding.ts';
import { lookAtInflux } from './look-at-influx.ts';
import { lookAtDisk } from './look-at-machine.ts';
import { lookAtMongo } from './look-at-mongo.ts';
import { lookAtRabbitMq } from './look-at-rabbitmq.ts';
import { lookAtNetwork, lookAtSite } from './look-at-web.ts';

export async function lookAtServers(
  servers: Servers,
  clock: () => number,
  databases: readonly ServerDatabase[] = serverDatabases,
): Promise<Finding[]> {
  const rabbitmq = await lookAtRabbitMq(servers, clock);
  const running = rabbitmq.consumers > 0;
  return [
    lookAtDisk('.'),
    ...rabbitmq.findings,
    ...(await lookAtInflux(servers, { clock, running })),
    ...(await lookAtMongo(servers, { clock, running, databases })),
    await lookAtSite(servers.url, { clock, running }),
    ...(await lookAtNetwork(servers.networkUrl, clock)),
  ];
}
