import type { RabbitMqState } from '@lobbystats/service-kit/bus';
import { inspectInflux } from '@lobbystats/series-api/admin';
import { describeError } from '@lobbystats/service-kit';
import type { Servers } from '../command/deployment.ts';
import { influxAdmin, inspectBroker, serverDatabases, type ServerDatabase } from '../servers/servers.ts';
import { checkNetwork, checkSite, checkSources, probeHttp } from './check-http.ts';
import { checkMongo } from './check-mongo.ts';
import {
  checkDisk,
  clockFinding,
  counted,
  findingsOf,
  freeSpaceFinding,
  slotFinding,
  type Finding,
} from './finding.ts';

const BACKLOG_WARNING = 10_000;
const STORE_AGAIN =
  'see its log for a full disk; free space, then restart it twice: docker compose restart influxdb (see docs/operating.md)';
const broker = findingsOf('rabbitmq');

export async function checkServers(
  servers: Servers,
  clock: () => number,
  databases: readonly ServerDatabase[] = serverDatabases,
): Promise<Finding[]> {
  const rabbitmq = await checkRabbitMq(servers, clock);
  const running = (rabbitmq.consumers ?? 0) > 0;
  const stopped = findingsOf('services').fault('none consumes its queue', 'start them: docker compose up -d --wait');
  return [
    checkDisk('.'),
    ...rabbitmq.findings,
    ...(rabbitmq.consumers === 0 ? [stopped] : []),
    ...(await checkInflux(servers, { clock, running })),
    ...(await checkMongo(servers, { clock, running, databases })),
    await checkSite(servers.url, { clock, running }),
    ...(await checkNetwork(servers.networkUrl, clock)),
    ...(await checkSources(servers.url)),
  ];
}

async function checkInflux(
  servers: Servers,
  { clock, running }: { clock: () => number; running: boolean },
): Promise<Finding[]> {
  const part = findingsOf('influxdb');
  const admin = influxAdmin(servers);
  const { url } = admin;
  const { host } = new URL(url);
  try {
    const { version, faults, newestSlot, failedWrites } = await inspectInflux(admin);
    const { reading } = await probeHttp(`${url}/health`, clock);
    return [
      part.ok(`InfluxDB ${version} at ${host}`),
      ...(reading === undefined ? [] : [clockFinding('influxdb', reading)]),
      ...(faults.length === 0
        ? [part.ok('both buckets exist with the expected retention')]
        : faults.map((fault) => part.fault(fault, 'run the init job: docker compose run --rm init'))),
      ...(failedWrites === 0
        ? []
        : [part.fault(`it failed to store ${failedWrites} writes since its start`, STORE_AGAIN)]),
      ...(faults.length === 0 ? [slotFinding(newestSlot, Math.floor(clock() / 1000), running)] : []),
    ];
  } catch (error) {
    const todo = `check that it runs, INFLUXDB_URL and INFLUXDB_ADMIN_TOKEN (of ${servers.sourceOf('INFLUXDB_ADMIN_TOKEN')})`;
    return [part.fault(`${host}: ${describeError(error)}`, todo)];
  }
}

async function checkRabbitMq(servers: Servers, clock: () => number) {
  const { managementUrl, vhost } = servers.rabbitmq;
  const where = managementUrl.replace(/^[a-z]+:\/\//, '');
  try {
    const state = await inspectBroker(servers);
    const { reading } = await probeHttp(managementUrl, clock);
    return {
      findings: [
        broker.ok(`RabbitMQ ${state.version} at ${where}`),
        ...(reading === undefined ? [] : [clockFinding('rabbitmq', reading)]),
        ...checkBroker(state, vhost),
        ...state.queues.flatMap(checkQueue),
      ],
      consumers: state.queues.reduce((sum, { consumers }) => sum + consumers, 0),
    };
  } catch (error) {
    const todo = `check that it runs, RABBITMQ_MANAGEMENT_URL and RABBITMQ_ADMIN_PASSWORD (of ${servers.sourceOf('RABBITMQ_ADMIN_PASSWORD')})`;
    return { findings: [broker.fault(`${where}: ${describeError(error)}`, todo)], consumers: undefined };
  }
}

function checkBroker({ faults, alarms, freeDiskBytes }: RabbitMqState, vhost: string): Finding[] {
  return [
    ...alarms.map((alarm) => broker.fault(alarm, 'start it, or free space: it accepts no messages until then')),
    ...(freeDiskBytes === undefined ? [] : [freeSpaceFinding(broker, freeDiskBytes, 'RabbitMQ')]),
    ...(faults.length === 0
      ? [broker.ok(`all exchanges, queues and bindings of ${vhost} are correct`)]
      : faults.map((fault) => broker.fault(fault, 'run the init job: docker compose run --rm init'))),
  ];
}

function checkQueue({ name, messages, consumers, deadLetters }: RabbitMqState['queues'][number]): Finding[] {
  const queue = findingsOf(name);
  const text = `${counted(messages, 'message')} queued, ${counted(consumers, 'consumer')}`;
  const todo = `check that ${name} runs, and its log`;
  return [
    consumers === 0
      ? queue.fault(text, todo)
      : messages > BACKLOG_WARNING
        ? queue.warning(text, `${name} is behind: see its log and its store`)
        : queue.ok(text),
    deadLetters === 0
      ? queue.ok('no dead letters')
      : queue.warning(
          counted(deadLetters, 'dead letter'),
          `docker compose run --rm dlq list --queue ${name}; fix their cause, then requeue or purge`,
        ),
  ];
}
