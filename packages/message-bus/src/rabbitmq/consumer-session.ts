import type { Channel, ConsumeMessage } from 'amqplib';

/** The deliveries of one channel: another one knows nothing of them. */
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

  /** Deliveries that the broker waits for. */
  get inHand(): number {
    return this.#isOpen ? this.#inHand : 0;
  }

  /** Gives up the channel, and with it all deliveries that the broker waits for. */
  abandon(): void {
    this.#isOpen = false;
    void this.#channel.close().catch(() => undefined);
  }

  took(): void {
    this.#inHand += 1;
  }

  /** Does nothing on a lost channel: what it delivered comes again. */
  ack(message: ConsumeMessage): void {
    if (!this.#isOpen) return;
    this.#inHand -= 1;
    try {
      this.#channel.ack(message);
    } catch {
      // It is being closed.
    }
  }
}
