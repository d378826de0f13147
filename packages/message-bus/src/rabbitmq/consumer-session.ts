import type { Channel, ConsumeMessage } from 'amqplib';

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
