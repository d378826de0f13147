import type { Channel, ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { BrokerConnection } from './connect.ts';
import { closeChannel, Reconnecting } from './reconnecting.ts';

export function reconnectingChannel(
  connection: BrokerConnection,
  setUp: (channel: Channel) => Promise<void>,
): Reconnecting<Channel> {
  return new Reconnecting(() => connection.createChannel(), setUp);
}

export function reconnectingConfirmChannel(
  connection: BrokerConnection,
  setUp: (channel: ConfirmChannel) => Promise<void>,
): Reconnecting<ConfirmChannel> {
  return new Reconnecting(() => connection.createConfirmChannel(), setUp);
}

export async function withChannel<T>(connection: BrokerConnection, work: (channel: Channel) => Promise<T>): Promise<T> {
  const channel = await connection.createChannel();
  // A fault closes the channel and rejects its operations.
  channel.on('error', () => undefined);
  try {
    return await work(channel);
  } finally {
    await closeChannel(channel);
  }
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
