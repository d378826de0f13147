import type { Channel, ConsumeMessage, Options } from 'amqplib';
import type { BrokerConnection } from './connect.ts';
import { closeChannel } from './reconnecting.ts';

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

  /** Returns the consumer's tag. A session is given up when the broker ends its consumer, as for a queue that is deleted. */
  async consume(
    queue: string,
    onMessage: (message: ConsumeMessage) => void,
    options?: Options.Consume,
  ): Promise<string> {
    const deliver = (message: ConsumeMessage | null): void => {
      if (message === null) {
        this.abandon();
        return;
      }
      this.#inFlight += 1;
      onMessage(message);
    };
    return (await this.#channel.consume(queue, deliver, options)).consumerTag;
  }

  abandon(): void {
    this.#isOpen = false;
    void this.#channel.close().catch(() => undefined);
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
