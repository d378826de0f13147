import type { ServiceName } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { Channel, ChannelModel, ConfirmChannel, GetMessage } from 'amqplib';
import type { DeadLetter, DeadLetterStore, DeadLetterSelection } from '../message-bus.ts';
import { deadLetterId, toDeadLetter, readHeaders, writeHeaders } from './message-headers.ts';
import { copiedProperties } from './message-properties.ts';
import { withChannel } from './channels.ts';
import { pause } from './reconnecting.ts';
import { IMMEDIATE_KEY, deadLetterQueue, retryExchange } from './topology.ts';

interface RequeueRequest {
  readonly queue: ServiceName;
  readonly message: GetMessage;
  readonly returned: Set<unknown>;
  readonly token: string;
}

interface VisitResult {
  readonly count: number;
  readonly left: number;
}

type Visitor = (queue: ServiceName, message: GetMessage) => Promise<'keep' | 'remove'>;

const RETURN_TIMEOUT_MS = 2000;
const CONFIRM_TIMEOUT_MS = 10_000;
/** Bodies in flight while requeueing. */
const MAX_IN_FLIGHT_BYTES = 32 * 1024 * 1024;

/**
 * Dead letters of a vhost. Inspected messages stay unacknowledged, so the broker returns them if this process crashes. A
 * message is removed only after its copy is confirmed.
 */
export class RabbitMqDeadLetterStore implements DeadLetterStore {
  readonly #model: ChannelModel;
  readonly #queues: readonly ServiceName[];
  #work: Promise<unknown> = Promise.resolve();

  constructor(model: ChannelModel, queues: readonly ServiceName[]) {
    this.#model = model;
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
    return this.#exclusively(async () => {
      const publishing = await this.#model.createConfirmChannel();
      publishing.on('error', () => undefined);
      try {
        return await this.#requeue(selection, publishing);
      } finally {
        await publishing.close().catch(() => undefined);
      }
    });
  }

  async purge(selection: DeadLetterSelection = {}): Promise<number> {
    return this.#visit(selection, () => Promise.resolve('remove'));
  }

  async close(): Promise<void> {
    await this.#work;
    await this.#model.close().catch(() => undefined);
  }

  #requeue(selection: DeadLetterSelection, publishing: ConfirmChannel): Promise<number> {
    const returned = new Set<unknown>();
    let sent = 0;
    publishing.on('return', ({ properties }) => returned.add(properties.correlationId));
    return this.#visitQueues(selection, async (queue, message) => {
      sent += 1;
      await requeueMessage(publishing, { queue, message, returned, token: String(sent) });
      return 'remove';
    });
  }

  #visit(selection: DeadLetterSelection, visit: Visitor): Promise<number> {
    return this.#exclusively(() => this.#visitQueues(selection, visit));
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #visitQueues({ queue, ids }: DeadLetterSelection, visit: Visitor): Promise<number> {
    const requestedIds = ids === undefined ? undefined : new Set(ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number));
    const queues = this.#queues.filter((name) => queue === undefined || name === queue);
    let count = 0;
    for (const name of queues) {
      const visited = await withChannel(this.#model, (channel) =>
        visitQueue(channel, name, async (message) =>
          requestedIds === undefined || requestedIds.has(deadLetterId(message)) ? visit(name, message) : 'pass',
        ),
      );
      await waitUntilReturned(this.#model, name, visited.left);
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
async function waitUntilReturned(model: ChannelModel, name: ServiceName, left: number): Promise<void> {
  const deadline = performance.now() + RETURN_TIMEOUT_MS;
  await withChannel(model, async (channel) => {
    for (;;) {
      const { messageCount } = await channel.checkQueue(deadLetterQueue(name));
      // Another process may have removed some.
      if (messageCount >= left || performance.now() > deadline) return;
      await pause(5);
    }
  });
}

function requeueMessage(channel: ConfirmChannel, { queue, message, returned, token }: RequeueRequest): Promise<void> {
  const { expiresAtMs } = readHeaders(message.properties);
  const options = {
    ...copiedProperties(message),
    headers: writeHeaders({ attempt: 1, remainingMs: 0, expiresAtMs }),
    correlationId: token,
    persistent: true,
    mandatory: true,
  };
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) =>
      reject(new AppError('unavailable', `The queue ${queue} does not take it`, { cause }));
    // A broker with an alarm doesn't respond.
    const timer = setTimeout(() => fail(new Error('the broker does not confirm')), CONFIRM_TIMEOUT_MS);
    channel.publish(retryExchange(queue), IMMEDIATE_KEY, message.content, options, (error: unknown) => {
      clearTimeout(timer);
      const isTaken = (error === null || error === undefined) && !returned.delete(token);
      if (isTaken) resolve();
      else fail(error);
    });
  });
}
