import type { ServiceName } from '@lobbystats/contracts';
import type { ConsumeMessage } from 'amqplib';
import type { Delivery } from '../dispatch.ts';
import type { ConsumerSession } from './channels.ts';
import { type DeadLetterIdGenerator, readHeaders, writeDeathHeaders, writeHeaders } from './message-headers.ts';
import { copiedProperties } from './message-properties.ts';
import { pause } from './reconnecting.ts';
import type { OutgoingMessage, Publisher } from './publisher.ts';
import { deadLetterQueue, retryExchange, retryKey } from './topology.ts';

export interface SettlementOptions {
  readonly queue: ServiceName;
  readonly publisher: Publisher;
  readonly ids: DeadLetterIdGenerator;
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
    const { attempt, expiresAtMs } = readHeaders(message.properties);
    const settle = (work: () => void): void => {
      work();
      onSettled();
    };
    return {
      body: message.content.toString(),
      attempt,
      expiresAtMs,
      ack: () => settle(() => session.ack(message)),
      retry: (delayMs) => settle(() => this.#retry(message, session, delayMs)),
      deadLetter: (reason) => settle(() => this.#deadLetter(message, session, reason)),
      // Redelivered when the channel closes.
      release: onSettled,
    };
  }

  #retry(message: ConsumeMessage, session: ConsumerSession, delayMs: number): void {
    const { attempt, expiresAtMs } = readHeaders(message.properties);
    this.#republish(message, session, {
      exchange: retryExchange(this.#options.queue),
      routingKey: retryKey(delayMs),
      body: message.content,
      properties: { ...copiedProperties(message), headers: writeHeaders({ attempt: attempt + 1, expiresAtMs }) },
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#inFlight);
  }

  #deadLetter(message: ConsumeMessage, session: ConsumerSession, reason: string): void {
    const { queue, ids, clock } = this.#options;
    const { attempt, expiresAtMs } = readHeaders(message.properties);
    const diedAtMs = clock();
    const headers = {
      ...writeHeaders({ attempt: 1, expiresAtMs }),
      ...writeDeathHeaders({ id: ids.next(diedAtMs), reason, attempts: attempt, diedAtMs }),
    };
    this.#republish(message, session, {
      exchange: deadLetterQueue(queue),
      routingKey: '',
      body: message.content,
      properties: { ...copiedProperties(message), headers },
    });
  }

  #republish(message: ConsumeMessage, session: ConsumerSession, outgoing: OutgoingMessage): void {
    const moving = this.#publishCopy(session, outgoing)
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
