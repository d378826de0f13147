import type { Channel, ChannelModel, ConfirmChannel, ConsumeMessage } from 'amqplib';
import { Reconnecting, type OpenResource } from './reconnecting.ts';

const CONNECTION_TIMEOUT_MS = 600_000;

export function reconnectingChannel(
  connection: Reconnecting<ChannelModel>,
  setUp: (channel: Channel, model: ChannelModel) => Promise<void>,
): Reconnecting<Channel> {
  return new Reconnecting(async () => {
    const model = await connection.waitUntilOpen(CONNECTION_TIMEOUT_MS);
    return prepareChannel(await model.createChannel(), (channel) => setUp(channel, model));
  });
}

export function reconnectingConfirmChannel(
  connection: Reconnecting<ChannelModel>,
  setUp: (channel: ConfirmChannel) => Promise<void>,
  onOpen: (channel: ConfirmChannel) => void,
): Reconnecting<ConfirmChannel> {
  return new Reconnecting(async () => {
    const model = await connection.waitUntilOpen(CONNECTION_TIMEOUT_MS);
    return prepareChannel(await model.createConfirmChannel(), setUp);
  }, onOpen);
}

export async function withChannel<T>(model: ChannelModel, work: (channel: Channel) => Promise<T>): Promise<T> {
  const channel = await model.createChannel();
  // A fault closes the channel and rejects its operations.
  channel.on('error', () => undefined);
  try {
    return await work(channel);
  } finally {
    await channel.close().catch(() => undefined);
  }
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
    await channel.close().catch(() => undefined);
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
