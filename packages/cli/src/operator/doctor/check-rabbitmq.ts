import type { RabbitMqState } from '@lobbystats/message-bus';
import { describeError } from '@lobbystats/service-kit';
import type { Servers } from '../command/deployment.ts';
import { inspectBroker } from '../servers/servers.ts';
import { probeHttp } from './check-http.ts';
import { clockFinding, findingsOf, freeSpaceFinding, type Finding } from './finding.ts';

const BACKLOG_WARNING = 10_000;
const part = findingsOf('rabbitmq');

export interface RabbitMqFindings {
  readonly findings: readonly Finding[];
  readonly consumers: number;
}

export async function checkRabbitMq(servers: Servers, clock: () => number): Promise<RabbitMqFindings> {
  const { managementUrl, vhost } = servers.rabbitmq;
  const where = new URL(managementUrl).host;
  try {
    const state = await inspectBroker(servers);
    const { reading } = await probeHttp(managementUrl, clock);
    return {
      findings: [
        part.ok(`RabbitMQ ${state.version} at ${where}`),
        ...(reading === undefined ? [] : [clockFinding('rabbitmq', reading)]),
        ...checkBroker(state, vhost),
        ...state.queues.flatMap(checkQueue),
      ],
      consumers: state.queues.reduce((sum, { consumers }) => sum + consumers, 0),
    };
  } catch (error) {
    const todo = 'check that it runs, RABBITMQ_MANAGEMENT_URL and RABBITMQ_ADMIN_PASSWORD';
    return { findings: [part.fault(`${where}: ${describeError(error)}`, todo)], consumers: 0 };
  }
}

function checkBroker({ faults, alarms, freeDiskBytes }: RabbitMqState, vhost: string): Finding[] {
  return [
    ...alarms.map((alarm) => part.fault(alarm, 'free space: it accepts no messages until then')),
    ...(freeDiskBytes === undefined ? [] : [freeSpaceFinding(part, freeDiskBytes, 'RabbitMQ')]),
    ...(faults.length === 0
      ? [part.ok(`all exchanges, queues and bindings of ${vhost} are correct`)]
      : faults.map((fault) => part.fault(fault, 'run the init job: docker compose run --rm init'))),
  ];
}

function checkQueue({ service, messages, consumers, deadLetters }: RabbitMqState['queues'][number]): Finding[] {
  const queue = findingsOf(service);
  const says = `${messages} messages queued, ${consumers} consumers`;
  const todo = `check that ${service} runs, and its log`;
  return [
    consumers === 0
      ? queue.warning(says, todo)
      : messages > BACKLOG_WARNING
        ? queue.warning(says, `${service} is behind: see its log and its store`)
        : queue.ok(says),
    deadLetters === 0
      ? queue.ok('no dead letters')
      : queue.warning(
          `${deadLetters} dead letters`,
          `docker compose run --rm dlq list --queue ${service}; fix their cause, then requeue or purge`,
        ),
  ];
}
