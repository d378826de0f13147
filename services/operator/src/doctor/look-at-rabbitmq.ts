import { inspectRabbitMq, type RabbitMqState } from '@lobbystats/message-bus';
import { reasonOf } from '@lobbystats/service-kit';
import type { Servers } from '../command/deployment.ts';
import { partOf, type Finding } from './finding.ts';
import { askHttp, clockFinding } from './look-at-clock.ts';
import { roomFinding } from './look-at-machine.ts';

const MANY_MESSAGES = 10_000;
const part = partOf('rabbitmq');

export interface RabbitMqFindings {
  readonly findings: readonly Finding[];
  readonly consumers: number;
}

export async function lookAtRabbitMq({ rabbitmq }: Servers, clock: () => number): Promise<RabbitMqFindings> {
  const { managementUrl, user, password, vhost } = rabbitmq;
  const where = new URL(managementUrl).host;
  try {
    const state = await inspectRabbitMq({ managementUrl, adminUser: user, adminPassword: password.reveal(), vhost });
    const { reading } = await askHttp(managementUrl, clock);
    return {
      findings: [
        part.ok(`RabbitMQ ${state.version} at ${where}`),
        ...(reading === undefined ? [] : [clockFinding('rabbitmq', reading)]),
        ...aboutBroker(state, vhost),
        ...state.queues.flatMap(aboutQueue),
      ],
      consumers: state.queues.reduce((sum, { consumers }) => sum + consumers, 0),
    };
  } catch (error) {
    const todo = 'see whether it runs, and RABBITMQ_MANAGEMENT_URL and RABBITMQ_ADMIN_PASSWORD';
    return { findings: [part.fault(`${where}: ${reasonOf(error)}`, todo)], consumers: 0 };
  }
}

function aboutBroker({ faults, alarms, freeDiskBytes }: RabbitMqState, vhost: string): Finding[] {
  return [
    ...alarms.map((alarm) => part.fault(alarm, 'make room: it takes no messages until then')),
    ...(freeDiskBytes === undefined ? [] : [roomFinding(part, freeDiskBytes, 'RabbitMQ')]),
    ...(faults.length === 0
      ? [part.ok(`all exchanges, queues and bindings of ${vhost} are as they must be`)]
      : faults.map((fault) => part.fault(fault, 'run the init job: docker compose run --rm init'))),
  ];
}

function aboutQueue({ service, messages, consumers, deadLetters }: RabbitMqState['queues'][number]): Finding[] {
  const queue = partOf(service);
  const says = `${messages} messages wait, ${consumers} consumers`;
  const todo = `see whether ${service} runs, and its log`;
  return [
    consumers === 0
      ? queue.warning(says, todo)
      : messages > MANY_MESSAGES
        ? queue.warning(says, `${service} is behind: see its log and its store`)
        : queue.ok(says),
    deadLetters === 0
      ? queue.ok('no dead letters')
      : queue.warning(
          `${deadLetters} dead letters wait`,
          `docker compose run --rm dlq list --queue ${service}; mend what they say, then requeue or purge`,
        ),
  ];
}
