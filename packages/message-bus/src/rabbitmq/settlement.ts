import type { ServiceName } from '@lobbystats/contracts';
import type { ConsumeMessage } from 'amqplib';
import type { Delivery } from '../delivery.ts';
import type { ConsumerSession } from './consumer-session.ts';
import { writeDeath, type DeadLetterIds } from './dead-letter-headers.ts';
import { pause } from './kept.ts';
import { readHeaders, writeHeaders } from './message-headers.ts';
import type { Outgoing, Publisher } from './publisher.ts';
import { deadLetters, retryExchange, rungOf } from './topology.ts';

export interface SettlementOptions {
  readonly queue: ServiceName;
  readonly publisher: Publisher;
  readonly ids: DeadLetterIds;
  readonly clock: () => number;
}

const AGAIN_AFTER_MS = 500;

/** Retries and dead letters are published as copies before the original is acknowledged: possibly twice, never lost. */
export class Settlement {
  readonly #options: SettlementOptions;
  readonly #underWay = new Set<Promise<void>>();
  #stopping = false;

  constructor(options: SettlementOptions) {
    this.#options = options;
  }

  deliveryOf(message: ConsumeMessage, session: ConsumerSession): Delivery {
    const { attempt, expiresAtMs } = readHeaders(message.properties);
    return {
      body: message.content.toString(),
      attempt,
      expiresAtMs,
      ack: () => session.ack(message),
      retry: (delayMs) => this.wait(message, session, delayMs, attempt + 1),
      dead: (reason) => this.#bury(message, session, reason),
      // Redelivered when the channel closes.
      release: () => undefined,
    };
  }

  /** Redelivers the same attempt after `delayMs`. */
  wait(message: ConsumeMessage, session: ConsumerSession, delayMs: number, attempt: number): void {
    const { rung, remainingMs } = rungOf(delayMs);
    const { expiresAtMs } = readHeaders(message.properties);
    this.#move(message, session, {
      exchange: retryExchange(this.#options.queue),
      routingKey: rung,
      body: message.content,
      properties: this.#properties(message, writeHeaders({ attempt, remainingMs, expiresAtMs })),
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#underWay);
  }

  #bury(message: ConsumeMessage, session: ConsumerSession, reason: string): void {
    const { queue, ids, clock } = this.#options;
    const { attempt, expiresAtMs } = readHeaders(message.properties);
    const diedAtMs = clock();
    const headers = {
      ...writeHeaders({ attempt: 1, remainingMs: 0, expiresAtMs }),
      ...writeDeath({ id: ids.next(diedAtMs), reason, attempts: attempt, diedAtMs }),
    };
    this.#move(message, session, {
      exchange: deadLetters(queue),
      routingKey: '',
      body: message.content,
      properties: this.#properties(message, headers),
    });
  }

  #properties({ properties }: ConsumeMessage, headers: Record<string, string | number>): Outgoing['properties'] {
    const { priority, messageId } = properties as { priority?: unknown; messageId?: unknown };
    return {
      headers,
      ...(typeof priority === 'number' ? { priority } : {}),
      ...(typeof messageId === 'string' ? { messageId } : {}),
    };
  }

  #move(message: ConsumeMessage, session: ConsumerSession, outgoing: Outgoing): void {
    const moving = this.#copy(session, outgoing)
      .then((isCopied) => {
        if (isCopied) session.ack(message);
      })
      .finally(() => this.#underWay.delete(moving));
    this.#underWay.add(moving);
  }

  async #copy(session: ConsumerSession, outgoing: Outgoing): Promise<boolean> {
    while (session.isOpen) {
      try {
        await this.#options.publisher.publish(outgoing);
        return true;
      } catch {
        if (this.#stopping) return false;
        await pause(AGAIN_AFTER_MS);
      }
    }
    return false;
  }
}
