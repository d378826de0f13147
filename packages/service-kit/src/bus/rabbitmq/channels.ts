import { AppError } from '@lobbystats/contracts/errors';
import type { Channel, ChannelModel, ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { BrokerConnection } from './connect.ts';
import { pause, Reconnecting, type OpenResource } from './reconnecting.ts';

const CONNECTION_TIMEOUT_MS = 600_000;
/** A node in a minority may refuse a consumer for as long as it is one, or not respond at all. */
const MAX_FAILURES_PER_HOST = 2;
const OPEN_TIMEOUT_MS = 5000;
/** A channel whose request hangs in the broker does not respond to its close either. */
const CLOSE_TIMEOUT_MS = 1000;

export function reconnectingChannel(
  connection: BrokerConnection,
  setUp: (channel: Channel, model: ChannelModel) => Promise<void>,
): Reconnecting<Channel> {
  const open = async (model: ChannelModel) =>
    prepareChannel(await model.createChannel(), (channel) => setUp(channel, model));
  return new Reconnecting(openingOn(connection, open));
}

export function reconnectingConfirmChannel(
  connection: BrokerConnection,
  setUp: (channel: ConfirmChannel, model: ChannelModel) => Promise<void>,
  onOpen: (channel: ConfirmChannel) => void,
): Reconnecting<ConfirmChannel> {
  const open = async (model: ChannelModel) =>
    prepareChannel(await model.createConfirmChannel(), (channel) => setUp(channel, model));
  return new Reconnecting(openingOn(connection, open), onOpen);
}

/** Leaves a host on which opening hangs, or fails again. */
function openingOn<T>(
  connection: BrokerConnection,
  open: (model: ChannelModel) => Promise<OpenResource<T>>,
): () => Promise<OpenResource<T>> {
  let failed: { model: ChannelModel; times: number } | undefined;
  return async () => {
    const model = await connection.waitUntilOpen(CONNECTION_TIMEOUT_MS);
    const hung = new AppError('unavailable', 'RabbitMQ does not open a channel');
    const limit = connection.hasOtherHosts ? [pause(OPEN_TIMEOUT_MS).then(() => Promise.reject(hung))] : [];
    try {
      const opened = await Promise.race([open(model), ...limit]);
      failed = undefined;
      return opened;
    } catch (error) {
      failed = { model, times: failed?.model === model ? failed.times + 1 : 1 };
      if (error === hung || failed.times >= MAX_FAILURES_PER_HOST) connection.leaveHost(model);
      throw error;
    }
  };
}

export async function withChannel<T>(model: ChannelModel, work: (channel: Channel) => Promise<T>): Promise<T> {
  const channel = await model.createChannel();
  // A fault closes the channel and rejects its operations.
  channel.on('error', () => undefined);
  try {
    return await work(channel);
  } finally {
    await closeChannel(channel);
  }
}

async function closeChannel(channel: Channel): Promise<void> {
  await Promise.race([channel.close().catch(() => undefined), pause(CLOSE_TIMEOUT_MS)]);
}

async function prepareChannel<C extends Channel>(
  channel: C,
  setUp: (channel: C) => Promise<void>,
): Promise<OpenResource<C>> {
  channel.on('error', () => undefined);
  const lost = new Promise<void>((resolve) => channel.once('close', () => resolve()));
  try {
    await setUp(channel);
  } catch (error) {
    await closeChannel(channel);
    throw error;
  }
  return { value: channel, lost, close: () => channel.close() };
}

/** Deliveries of one channel. */
export class ConsumerSession {
  readonly #channel: Channel;
  #isOpen = true;
  #inFlight = 0;

  constructor(channel: Channel) {
    this.#channel = channel;
    channel.once('close', () => {
      this.#isOpen = false;
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get inFlight(): number {
    return this.#isOpen ? this.#inFlight : 0;
  }

  abandon(): void {
    this.#isOpen = false;
    void this.#channel.close().catch(() => undefined);
  }

  trackDelivery(): void {
    this.#inFlight += 1;
  }

  /** No effect on a lost channel: the broker redelivers its messages. */
  ack(message: ConsumeMessage): void {
    if (!this.#isOpen) return;
    this.#inFlight -= 1;
    try {
      this.#channel.ack(message);
    } catch {
      // The channel is closing.
    }
  }
}
