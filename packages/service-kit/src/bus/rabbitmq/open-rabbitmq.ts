import type { ServiceName } from '@lobbystats/contracts';
import { StartupError, messageOf } from '@lobbystats/contracts/errors';
import type { BusContext } from '../bus-base.ts';
import type { DeadLetterStore, MessageBus } from '../message-bus.ts';
import { withChannel } from './channels.ts';
import { BrokerConnection } from './connect.ts';
import { Publisher } from './publisher.ts';
import { RabbitMqBus } from './rabbitmq-bus.ts';
import { RabbitMqDeadLetterStore } from './rabbitmq-dead-letter-store.ts';
import { busGrants, busUsers, type BusUser } from './users.ts';

interface OpenRabbitMqOptions extends BusContext {
  readonly url: string;
  readonly service: ServiceName | undefined;
}

const BUS_OPEN_TIMEOUT_MS = 30_000;
const DLQ_OPEN_TIMEOUT_MS = 5000;
/** A silent leader is given up after 8 to 12 s, well within a slot. */
const REPLICA_HEARTBEAT_S = 4;

/** @throws StartupError when the broker doesn't come up, refuses the user, or isn't prepared */
export async function openRabbitMqBus(options: OpenRabbitMqOptions): Promise<MessageBus> {
  const { url, origin, hooks, clock, service } = options;
  const open = (purpose: string, heartbeatS?: number) =>
    BrokerConnection.open(url, `${service ?? 'lobbystats'}: ${purpose}`, {
      waitMs: BUS_OPEN_TIMEOUT_MS,
      onRefused: (error) => hooks.refused(error),
      ...(heartbeatS !== undefined && { heartbeatS }),
    });
  const consuming = await openPrepared(() => open('consuming'), service);
  const publishing = await open('publishing').catch(async (error: unknown) => {
    await consuming.close();
    throw error;
  });
  const connectReplica = () => open('replica', REPLICA_HEARTBEAT_S);
  const publisher = new Publisher(publishing);
  return new RabbitMqBus({ connectReplica, publishing, consuming, publisher, origin, hooks, clock, service });
}

export async function openRabbitMqDeadLetterStore(url: string): Promise<DeadLetterStore> {
  const connection = await openPrepared(
    () => BrokerConnection.open(url, 'dead letters', { waitMs: DLQ_OPEN_TIMEOUT_MS }),
    'dlq',
  );
  return new RabbitMqDeadLetterStore(connection);
}

/** @throws StartupError that names what is missing on the broker and what to do */
async function openPrepared(
  open: () => Promise<BrokerConnection>,
  user: BusUser | undefined,
): Promise<BrokerConnection> {
  const connection = await open();
  const grants = (user === undefined ? busUsers : [user]).map(busGrants);
  const exchanges = new Set(
    grants.flatMap(({ topics, publish }) => [...topics.map(({ exchange }) => exchange), ...publish]),
  );
  const queues = new Set(grants.flatMap(({ read }) => read));
  try {
    await withChannel(connection, async (channel) => {
      for (const name of exchanges) await expectFound(`the exchange ${name}`, channel.checkExchange(name));
      for (const name of queues) await expectFound(`the queue ${name}`, channel.checkQueue(name));
    });
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function expectFound(what: string, check: Promise<unknown>): Promise<void> {
  try {
    await check;
  } catch (error) {
    throw new StartupError(
      `RabbitMQ is not prepared for this release: ${what} is missing or not accessible. Run the init job ` +
        `(docker compose run --rm init), then start again: ${messageOf(error).slice(0, 300)}`,
      { cause: error },
    );
  }
}
