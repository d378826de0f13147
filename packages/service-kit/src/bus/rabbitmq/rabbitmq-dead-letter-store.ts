import type { ServiceName } from '@lobbystats/contracts';
import type { Channel, GetMessage } from 'amqplib';
import type { DeadLetter, DeadLetterStore, DeadLetterSelection } from '../message-bus.ts';
import { deadLetterId, toDeadLetter, readHeaders, writeHeaders } from './message-headers.ts';
import { copiedProperties } from './message-properties.ts';
import { withChannel } from './channels.ts';
import type { BrokerConnection } from './connect.ts';
import { Publisher } from './publisher.ts';
import { pause } from './reconnecting.ts';
import { IMMEDIATE_KEY, deadLetterQueue, retryExchange } from './topology.ts';

interface VisitResult {
  readonly count: number;
  readonly left: number;
}

type Visitor = (queue: ServiceName, message: GetMessage) => Promise<'keep' | 'remove'>;

const RETURN_TIMEOUT_MS = 2000;
/** Bodies in flight while requeueing. */
const MAX_IN_FLIGHT_BYTES = 32 * 1024 * 1024;

/**
 * Dead letters of a vhost. Inspected messages stay unacknowledged, so the broker returns them if this process crashes. A
 * message is removed only after its copy is confirmed.
 */
export class RabbitMqDeadLetterStore implements DeadLetterStore {
  readonly #connection: BrokerConnection;
  readonly #queues: readonly ServiceName[];
  #work: Promise<unknown> = Promise.resolve();

  constructor(connection: BrokerConnection, queues: readonly ServiceName[]) {
    this.#connection = connection;
    this.#queues = queues;
  }

  async list(selection: DeadLetterSelection = {}): Promise<DeadLetter[]> {
    const letters: DeadLetter[] = [];
    await this.#visit(selection, async (queue, message) => {
      letters.push(toDeadLetter(queue, message));
      return 'keep';
    });
    return letters.sort((a, b) => Number(a.id) - Number(b.id));
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
    await this.#work;
    await this.#connection.close();
  }

  /** One after the other, since each holds the messages that it visits. */
  #visit(selection: DeadLetterSelection, visit: Visitor): Promise<number> {
    const done = this.#work.then(() => this.#visitQueues(selection, visit));
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #visitQueues({ queue, ids }: DeadLetterSelection, visit: Visitor): Promise<number> {
    const requestedIds = ids === undefined ? undefined : new Set(ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number));
    const queues = this.#queues.filter((name) => queue === undefined || name === queue);
    let count = 0;
    for (const name of queues) {
      const visited = await withChannel(this.#connection, (channel) =>
        visitQueue(channel, name, async (message) =>
          requestedIds === undefined || requestedIds.has(deadLetterId(message)) ? visit(name, message) : 'pass',
        ),
      );
      await waitUntilReturned(this.#connection, name, visited.left);
      count += visited.count;
    }
    return count;
  }
}

/** Visits messages present at the start, since requeued ones may die again. */
async function visitQueue(
  channel: Channel,
  name: ServiceName,
  visit: (message: GetMessage) => Promise<'keep' | 'remove' | 'pass'>,
): Promise<VisitResult> {
  const queue = deadLetterQueue(name);
  const { messageCount } = await channel.checkQueue(queue);
  let count = 0;
  let left = 0;
  const underWay = new Set<Promise<void>>();
  const faults: unknown[] = [];
  let bytes = 0;
  for (let got = 0; got < messageCount && faults.length === 0; got += 1) {
    const message = await channel.get(queue);
    if (message === false) break;
    const size = message.content.length;
    bytes += size;
    const visiting = visit(message)
      .then((outcome) => {
        if (outcome === 'remove') channel.ack(message);
        else left += 1;
        if (outcome !== 'pass') count += 1;
      })
      .catch((error: unknown) => {
        faults.push(error);
      })
      .finally(() => {
        bytes -= size;
        underWay.delete(visiting);
      });
    underWay.add(visiting);
    if (bytes > MAX_IN_FLIGHT_BYTES) await Promise.all(underWay);
  }
  await Promise.all(underWay);
  if (faults.length > 0) throw faults[0];
  return { count, left };
}

/** The broker returns held messages shortly after the channel closes. */
async function waitUntilReturned(connection: BrokerConnection, name: ServiceName, left: number): Promise<void> {
  const deadline = performance.now() + RETURN_TIMEOUT_MS;
  await withChannel(connection, async (channel) => {
    for (;;) {
      const { messageCount } = await channel.checkQueue(deadLetterQueue(name));
      // Another process may have removed some.
      if (messageCount >= left || performance.now() > deadline) return;
      await pause(5);
    }
  });
}
