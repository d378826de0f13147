import type { ServiceName } from '@lobbystats/contracts';
import type { ConsumeMessage } from 'amqplib';
import type { Delivery } from '../dispatch.ts';
import type { ConsumerSession } from './channels.ts';
import { readHeaders, writeDeathHeaders, writeHeaders } from './message-headers.ts';
import { copiedProperties } from './message-properties.ts';
import { pause } from './reconnecting.ts';
import type { OutgoingMessage, Publisher } from './publisher.ts';
import { deadLetterQueue, retryExchange, retryKey } from './topology.ts';

export interface SettlementOptions {
  readonly queue: ServiceName;
  readonly publisher: Publisher;
  readonly clock: () => number;
}

const RETRY_INTERVAL_MS = 500;

/** Publishes retries and dead letters as copies before it acknowledges the original: possibly twice, never lost. */
export class Settlement {
  readonly #options: SettlementOptions;
  readonly #inFlight = new Set<Promise<void>>();
  #stopping = false;

  constructor(options: SettlementOptions) {
    this.#options = options;
  }

  /** `onSettled` is called once, with the settlement of the delivery. */
  toDelivery(message: ConsumeMessage, session: ConsumerSession, onSettled: () => void): Delivery {
    const { queue, clock } = this.#options;
    const { attempt, expiresAtMs } = readHeaders(message.properties);
    const move = (exchange: string, routingKey: string, headers: Record<string, string | number>): void => {
      const properties = { ...copiedProperties(message), headers };
      this.#move(message, session, { exchange, routingKey, body: message.content, properties });
      onSettled();
    };
    return {
      body: message.content.toString(),
      attempt,
      expiresAtMs,
      ack: () => {
        session.ack(message);
        onSettled();
      },
      retry: (delayMs) =>
        move(retryExchange(queue), retryKey(delayMs), writeHeaders({ attempt: attempt + 1, expiresAtMs })),
      deadLetter: (reason) =>
        move(deadLetterQueue(queue), '', {
          ...writeHeaders({ attempt, expiresAtMs }),
          ...writeDeathHeaders({ reason, diedAtMs: clock() }),
        }),
      // Redelivered when the channel closes.
      release: onSettled,
    };
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#inFlight);
  }

  #move(message: ConsumeMessage, session: ConsumerSession, copy: OutgoingMessage): void {
    const moving = this.#publishCopy(session, copy)
      .then((isCopied) => {
        if (isCopied) session.ack(message);
      })
      .finally(() => this.#inFlight.delete(moving));
    this.#inFlight.add(moving);
  }

  async #publishCopy(session: ConsumerSession, outgoing: OutgoingMessage): Promise<boolean> {
    while (session.isOpen) {
      try {
        await this.#options.publisher.publish(outgoing);
        return true;
      } catch {
        if (this.#stopping) return false;
        await pause(RETRY_INTERVAL_MS);
      }
    }
    return false;
  }
}
