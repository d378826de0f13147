import { AsyncLocalStorage } from 'node:async_hooks';
import { allMessages, type Fact, type Outbox, type PendingFact } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/errors';
import type { MessageBus } from './message-bus.ts';

export const FACTS_AT_ONCE = 32;
const FIRST_RETRY_MS = 250;
/** In milliseconds. Also finds facts that a killed replica left. */
const LONGEST_WAIT_MS = 5000;

export interface OutboxRelayOptions {
  outbox: Outbox;
  bus: MessageBus;
  logger: { info(message: string): unknown; warn(message: string, details: object): unknown };
  onBacklog: (facts: number) => void;
}

/**
 * Publishes the outbox in order and removes confirmed facts. After a failure everything from there on is published
 * again, with the same ids, so readers see facts in order.
 */
export class OutboxRelay {
  readonly #options: OutboxRelayOptions;
  readonly #onItsOwn = AsyncLocalStorage.snapshot();
  #running: Promise<void> | undefined;
  #wanted = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: OutboxRelayOptions) {
    this.#options = options;
  }

  /** Call at start and after commits. Polls as well. */
  wake(): void {
    if (this.#stopped) return;
    this.#wanted = true;
    this.#running ??= this.#onItsOwn(() => this.#run());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      while (this.#wanted && !this.#stopped) {
        this.#wanted = false;
        await this.#drain();
      }
      if (this.#failures > 0) this.#options.logger.info('Facts are published again');
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures === 1) {
        this.#options.logger.warn('Facts could not be published and wait in the outbox', { reason: messageOf(error) });
      }
    }
    this.#running = undefined;
    if (!this.#stopped) this.#timer = setTimeout(() => this.wake(), this.#waitMs());
  }

  async #drain(): Promise<void> {
    const { outbox, onBacklog } = this.#options;
    let waiting = await outbox.backlog();
    onBacklog(waiting);
    while (!this.#stopped) {
      const facts = await outbox.pending(FACTS_AT_ONCE);
      if (facts.length === 0) return;
      const { published, fault } = await this.#publishAll(facts);
      if (published.length > 0) await outbox.remove(published);
      waiting = Math.max(waiting - published.length, 0);
      onBacklog(waiting);
      if (fault !== undefined) throw fault;
    }
  }

  /** Positions of the facts published before the first failure, and its error. */
  async #publishAll(facts: readonly PendingFact[]): Promise<{ published: number[]; fault?: Error }> {
    const outcomes = await Promise.allSettled(facts.map((fact) => this.#publish(fact)));
    const failed = outcomes.findIndex(({ status }) => status === 'rejected');
    const published = facts.slice(0, failed === -1 ? facts.length : failed).map(({ place }) => place);
    const outcome = outcomes[failed];
    if (outcome?.status !== 'rejected') return { published };
    return { published, fault: new Error(messageOf(outcome.reason), { cause: outcome.reason }) };
  }

  async #publish({ type, id, occurredAt, past, data }: Fact): Promise<void> {
    const message = allMessages.find(({ key }) => key === type);
    if (message === undefined) throw new Error(`There is no message ${type}: a newer release has stored it`);
    await this.#options.bus.publish(message, data, { id, occurredAt, past });
  }

  #waitMs(): number {
    if (this.#failures === 0) return LONGEST_WAIT_MS;
    return Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LONGEST_WAIT_MS);
  }
}
