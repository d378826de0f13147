import { allMessages, type ServiceName } from '@lobbystats/contracts';
import { StartupError, messageOf } from '@lobbystats/contracts/errors';
import type { ChannelModel } from 'amqplib';
import type { BusContext } from '../bus-base.ts';
import type { DeadLetterStore, MessageBus } from '../message-bus.ts';
import { BrokerConnection, connectWithRetry } from './connect.ts';
import { Publisher } from './publisher.ts';
import { RabbitMqBus } from './rabbitmq-bus.ts';
import { RabbitMqDeadLetterStore } from './rabbitmq-dead-letter-store.ts';
import { withChannel } from './channels.ts';
import { deadLetterQueue, LOG, LOG_IDENTITY, queuedServices, retryExchange, definitions } from './topology.ts';

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
  const name = service ?? 'lobbystats';
  const first = await connectWithRetry(url, name, BUS_OPEN_TIMEOUT_MS);
  try {
    await assertTopology(first, requiredTopology(service));
  } finally {
    await first.close().catch(() => undefined);
  }
  const onRefused = (error: Error) => hooks.refused(error);
  const consuming = new BrokerConnection(url, `${name}: consuming`, { onRefused });
  const onOpen = (model: ChannelModel) => {
    publisher.setBlocked(false);
    model.on('blocked', () => publisher.setBlocked(true));
    model.on('unblocked', () => publisher.setBlocked(false));
  };
  const publishing = new BrokerConnection(url, `${name}: publishing`, { onOpen, onRefused });
  const publisher = new Publisher(publishing);
  const connectReplica = () =>
    new BrokerConnection(url, `${name}: replica`, { onRefused, heartbeatS: REPLICA_HEARTBEAT_S });
  const bus = new RabbitMqBus({ connectReplica, publishing, consuming, publisher, origin, hooks, clock, service });
  try {
    await Promise.all([consuming.waitUntilOpen(BUS_OPEN_TIMEOUT_MS), publishing.waitUntilOpen(BUS_OPEN_TIMEOUT_MS)]);
  } catch (error) {
    await bus.close();
    throw error;
  }
  return bus;
}

export async function openRabbitMqDeadLetterStore(url: string): Promise<DeadLetterStore> {
  const model = await connectWithRetry(url, 'dead letters', DLQ_OPEN_TIMEOUT_MS);
  try {
    await assertTopology(model, {
      exchanges: queuedServices.map(retryExchange),
      queues: queuedServices.map(deadLetterQueue),
    });
  } catch (error) {
    await model.close().catch(() => undefined);
    throw error;
  }
  return new RabbitMqDeadLetterStore(model, queuedServices);
}

function requiredTopology(service: ServiceName | undefined): RequiredTopology {
  const { exchanges, queues } = definitions();
  const isOf = (name: string): boolean => service === undefined || name === service || name.startsWith(`${service}.`);
  const publishedTo = allMessages.filter(({ producer }) => producer === service).map(({ exchange }) => exchange);
  const reads = service === 'gateway' ? [LOG, LOG_IDENTITY] : [];
  return {
    exchanges: [...new Set([...publishedTo, ...exchanges.map(({ name }) => name).filter(isOf)])],
    queues: [...reads, ...queues.map(({ name }) => name).filter(isOf)],
  };
}

interface RequiredTopology {
  readonly exchanges: readonly string[];
  readonly queues: readonly string[];
}

/**
 * Checks that the broker was provisioned; names what is missing.
 *
 * @throws StartupError that names what is missing and what to do
 */
async function assertTopology(model: ChannelModel, { exchanges, queues }: RequiredTopology): Promise<void> {
  await withChannel(model, async (channel) => {
    for (const name of exchanges) await assertExists(`the exchange ${name}`, channel.checkExchange(name));
    for (const name of queues) await assertExists(`the queue ${name}`, channel.checkQueue(name));
  });
}

async function assertExists(what: string, check: Promise<unknown>): Promise<void> {
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
