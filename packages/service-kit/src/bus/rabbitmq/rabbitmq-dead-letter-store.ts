import type { ServiceName } from '@lobbystats/contracts';
import type { GetMessage } from 'amqplib';
import type { DeadLetter, DeadLetterStore, DeadLetterSelection } from '../message-bus.ts';
import { deadLetterId, toDeadLetter, readHeaders, writeHeaders } from './message-headers.ts';
import { copiedProperties } from './message-properties.ts';
import { withChannel } from './channels.ts';
import type { BrokerConnection } from './connect.ts';
import { Publisher } from './publisher.ts';
import { pause } from './reconnecting.ts';
import { IMMEDIATE_KEY, deadLetterQueue, queuedServices, retryExchange } from './topology.ts';

const RETURN_TIMEOUT_MS = 2000;

type Visitor = (queue: ServiceName, message: GetMessage) => Promise<'keep' | 'remove'>;

/**
 * Dead letters of a vhost. Inspected messages stay unacknowledged, so the broker returns them if this process crashes. A
 * message is removed only after its copy is confirmed.
 */
export class RabbitMqDeadLetterStore implements DeadLetterStore {
  readonly #connection: BrokerConnection;

  constructor(connection: BrokerConnection) {
    this.#connection = connection;
  }

  async list(selection: DeadLetterSelection = {}): Promise<DeadLetter[]> {
    const letters: DeadLetter[] = [];
    await this.#visit(selection, async (queue, message) => {
      letters.push(toDeadLetter(queue, message));
      return 'keep';
    });
    return letters.sort((a, b) => a.diedAt.localeCompare(b.diedAt));
  }

  async requeue(selection: DeadLetterSelection = {}): Promise<number> {
    const publisher = new Publisher(this.#connection);
    try {
      return await this.#visit(selection, async (queue, message) => {
        const { expiresAtMs } = readHeaders(message.properties);
        await publisher.publish({
          exchange: retryExchange(queue),
          routingKey: IMMEDIATE_KEY,
          body: message.content,
          properties: {
            ...copiedProperties(message),
            headers: writeHeaders({ attempt: 1, expiresAtMs }),
          },
        });
        return 'remove';
      });
    } finally {
      await publisher.close();
    }
  }

  async purge(selection: DeadLetterSelection = {}): Promise<number> {
    return this.#visit(selection, () => Promise.resolve('remove'));
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** Visits messages present at the start, since requeued ones may die again. Returns how many were selected. */
  async #visit({ queue, ids }: DeadLetterSelection, visit: Visitor): Promise<number> {
    let count = 0;
    for (const name of queuedServices.filter((service) => queue === undefined || service === queue)) {
      let left = 0;
      await withChannel(this.#connection, async (channel) => {
        const { messageCount } = await channel.checkQueue(deadLetterQueue(name));
        for (let got = 0; got < messageCount; got += 1) {
          const message = await channel.get(deadLetterQueue(name));
          if (message === false) break;
          const isSelected = ids === undefined || ids.includes(deadLetterId(name, message));
          const isRemoved = isSelected && (await visit(name, message)) === 'remove';
          if (isRemoved) channel.ack(message);
          else left += 1;
          if (isSelected) count += 1;
        }
      });
      await this.#waitUntilReturned(deadLetterQueue(name), left);
    }
    return count;
  }

  /** The broker returns held messages shortly after their channel closes; the next visit needs them. */
  async #waitUntilReturned(queue: string, left: number): Promise<void> {
    const deadline = performance.now() + RETURN_TIMEOUT_MS;
    await withChannel(this.#connection, async (channel) => {
      // Another process may have removed some.
      while ((await channel.checkQueue(queue)).messageCount < left && performance.now() < deadline) await pause(5);
    });
  }
}
