import { allMessages, type ServiceName } from '@lobbystats/contracts';
import type { BusHooks } from '../bus-hooks.ts';
import type { DeadLetterOffice, MessageBus } from '../message-bus.ts';
import { connectAtFirst, keepConnection } from './connect.ts';
import { RabbitMqDeadLetters } from './dead-letter-office.ts';
import { expectTopology, type Needs } from './expect-topology.ts';
import { Publisher } from './publisher.ts';
import { RabbitMqBus } from './rabbitmq-bus.ts';
import { deadLetters, LOG, LOG_IDENTITY, queuedServices, retryExchange, topology } from './topology.ts';

export interface OpenRabbitMqOptions {
  readonly url: string;
  readonly origin: string;
  readonly hooks: BusHooks;
  readonly clock: () => number;
  readonly service: ServiceName | undefined;
}

const BUS_WITHIN_MS = 30_000;
const OFFICE_WITHIN_MS = 5000;

/** @throws RefusalError when the broker doesn't come up, refuses the user, or isn't prepared */
export async function openRabbitMqBus(options: OpenRabbitMqOptions): Promise<MessageBus> {
  const { url, origin, hooks, clock, service } = options;
  const name = service ?? 'lobbystats';
  const first = await connectAtFirst(url, name, BUS_WITHIN_MS);
  try {
    await expectTopology(first, needsOf(service));
  } finally {
    await first.close().catch(() => undefined);
  }
  const consuming = keepConnection(url, `${name}: consuming`);
  const publishing = keepConnection(url, `${name}: publishing`, (model) => {
    publisher.block(false);
    model.on('blocked', () => publisher.block(true));
    model.on('unblocked', () => publisher.block(false));
  });
  const publisher = new Publisher(publishing);
  const bus = new RabbitMqBus({ publishing, consuming, publisher, origin, hooks, clock, service });
  try {
    await Promise.all([consuming.within(BUS_WITHIN_MS), publishing.within(BUS_WITHIN_MS)]);
  } catch (error) {
    await bus.close();
    throw error;
  }
  return bus;
}

export async function openRabbitMqDeadLetters(url: string): Promise<DeadLetterOffice> {
  const model = await connectAtFirst(url, 'dead letters', OFFICE_WITHIN_MS);
  try {
    await expectTopology(model, {
      exchanges: queuedServices.map(retryExchange),
      queues: queuedServices.map(deadLetters),
    });
  } catch (error) {
    await model.close().catch(() => undefined);
    throw error;
  }
  return new RabbitMqDeadLetters(model);
}

function needsOf(service: ServiceName | undefined): Needs {
  const { exchanges, queues } = topology();
  const isOf = (name: string): boolean => service === undefined || name === service || name.startsWith(`${service}.`);
  const publishedTo = allMessages.filter(({ producer }) => producer === service).map(({ exchange }) => exchange);
  const reads = service === 'gateway' ? [LOG, LOG_IDENTITY] : [];
  return {
    exchanges: [...new Set([...publishedTo, ...exchanges.map(({ name }) => name).filter(isOf)])],
    queues: [...reads, ...queues.map(({ name }) => name).filter(isOf)],
  };
}
