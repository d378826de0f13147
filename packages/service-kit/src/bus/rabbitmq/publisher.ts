import { AppError } from '@lobbystats/contracts/errors';
import type { ConfirmChannel } from 'amqplib';
import { reconnectingConfirmChannel } from './channels.ts';
import type { BrokerConnection } from './connect.ts';
import type { MessageProperties } from './message-properties.ts';
import type { Reconnecting } from './reconnecting.ts';

export interface OutgoingMessage {
  readonly exchange: string;
  readonly routingKey: string;
  readonly body: Buffer;
  readonly properties: MessageProperties;
  readonly allowUnroutable?: boolean;
}

const MAX_IN_FLIGHT = 256;
const PERMIT_TIMEOUT_MS = 5000;
const CONFIRM_TIMEOUT_MS = 10_000;
/** Without any confirm for this time, another host is tried: this one may have lost its majority. */
const SILENCE_TIMEOUT_MS = 4000;

interface Waiter {
  readonly go: () => void;
  readonly fail: (error: AppError) => void;
  readonly timer: NodeJS.Timeout;
}

export class Publisher {
  readonly #channel: Reconnecting<ConfirmChannel>;
  readonly #waiters = new Set<Waiter>();
  readonly #returned = new Set<string>();
  #blocked = false;
  #closed = false;
  #full = false;
  #inFlight = 0;
  #last = 0;
  #confirmedAtMs = 0;
  #leaveHost: () => void = () => undefined;

  constructor(connection: BrokerConnection) {
    this.#channel = reconnectingConfirmChannel(
      connection,
      (channel, model) => this.#setUp(channel, () => connection.leaveHost(model)),
      () => this.#startWaiting(),
    );
  }

  /**
   * Resolves when every target queue has the message.
   *
   * @throws AppError `unavailable` within 15 s; the message may have been stored
   */
  async publish(outgoing: OutgoingMessage): Promise<void> {
    await this.#acquire();
    try {
      await this.#send(outgoing);
    } finally {
      this.#inFlight -= 1;
      this.#startWaiting();
    }
  }

  /** The broker's memory or disk alarm. */
  setBlocked(blocked: boolean): void {
    this.#blocked = blocked;
    this.#startWaiting();
  }

  get isBlocked(): boolean {
    return this.#blocked;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { fail, timer } of this.#waiters) {
      clearTimeout(timer);
      fail(unavailable('the bus is closed'));
    }
    this.#waiters.clear();
    await this.#channel.close();
  }

  async #setUp(channel: ConfirmChannel, leaveHost: () => void): Promise<void> {
    this.#leaveHost = leaveHost;
    this.#full = false;
    this.#returned.clear();
    channel.on('drain', () => {
      this.#full = false;
      this.#startWaiting();
    });
    channel.on('return', ({ properties }) => {
      this.#returned.add(String(properties.correlationId));
    });
  }

  async #send({ exchange, routingKey, body, properties, allowUnroutable = false }: OutgoingMessage): Promise<void> {
    const channel = this.#channel.current;
    if (channel === undefined) throw unavailable('the connection is lost');
    const correlationId = String((this.#last += 1));
    const sentAtMs = performance.now();
    const leaveHost = this.#leaveHost;
    await new Promise<void>((resolve, reject) => {
      const silence = setTimeout(() => {
        if (!this.#blocked && this.#confirmedAtMs < sentAtMs) leaveHost();
      }, SILENCE_TIMEOUT_MS);
      const timer = setTimeout(() => reject(unavailable('the broker does not confirm')), CONFIRM_TIMEOUT_MS);
      const options = { ...properties, correlationId, persistent: true, mandatory: !allowUnroutable };
      const confirmed = (error: unknown): void => {
        clearTimeout(timer);
        clearTimeout(silence);
        // `return` arrives before the confirm.
        const isReturned = this.#returned.delete(correlationId);
        const isConfirmed = error === null || error === undefined;
        if (isConfirmed) this.#confirmedAtMs = performance.now();
        if (!isConfirmed) reject(unavailable('the broker did not take it', error));
        else if (isReturned) reject(unavailable(`no queue takes ${routingKey}`));
        else resolve();
      };
      try {
        if (!channel.publish(exchange, routingKey, body, options, confirmed)) this.#full = true;
      } catch (error) {
        clearTimeout(timer);
        clearTimeout(silence);
        reject(unavailable('the channel is closed', error));
      }
    });
  }

  #acquire(): Promise<void> {
    if (this.#isReady()) {
      this.#inFlight += 1;
      return Promise.resolve();
    }
    if (this.#closed) return Promise.reject(unavailable('the bus is closed'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiting);
        reject(unavailable(this.#blocked ? 'the broker is short of memory or disk' : 'the broker is away or slow'));
      }, PERMIT_TIMEOUT_MS);
      const waiting: Waiter = { go: resolve, fail: reject, timer };
      this.#waiters.add(waiting);
    });
  }

  #startWaiting(): void {
    for (const waiting of this.#waiters) {
      if (!this.#isReady()) return;
      this.#waiters.delete(waiting);
      this.#inFlight += 1;
      clearTimeout(waiting.timer);
      waiting.go();
    }
  }

  #isReady(): boolean {
    return (
      !this.#closed &&
      !this.#blocked &&
      !this.#full &&
      this.#inFlight < MAX_IN_FLIGHT &&
      this.#channel.current !== undefined
    );
  }
}

function unavailable(why: string, error?: unknown): AppError {
  return new AppError('unavailable', 'The message bus is not available', { cause: error ?? new Error(why) });
}
