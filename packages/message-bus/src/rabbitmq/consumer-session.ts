import type { Channel, ConsumeMessage } from 'amqplib';

/** Deliveries of one channel. */
export class ConsumerSession {
  readonly #channel: Channel;
  #isOpen = true;
  #inHand = 0;

  constructor(channel: Channel) {
    this.#channel = channel;
    channel.once('close', () => {
      this.#isOpen = false;
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get inHand(): number {
    return this.#isOpen ? this.#inHand : 0;
  }

  abandon(): void {
    this.#isOpen = false;
    void this.#channel.close().catch(() => undefined);
  }

  took(): void {
    this.#inHand += 1;
  }

  /** No effect on a lost channel, whose deliveries come again. */
  ack(message: ConsumeMessage): void {
    if (!this.#isOpen) return;
    this.#inHand -= 1;
    try {
      this.#channel.ack(message);
    } catch {
      // The channel is closing.
    }
  }
}
