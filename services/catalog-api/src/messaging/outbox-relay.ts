import { titleStored } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/errors';
import type { MessageBus } from '@lobbystats/message-bus';
import type { Logger } from '@lobbystats/service-kit';
import type { TitleFact, TitleStore } from '../domain/title-store.ts';

/** Facts fetched from the outbox at once. */
const BATCH = 20;
/** The wait after a first failure, in milliseconds; it doubles with each one that follows. */
const FIRST_RETRY_MS = 250;
/** The longest wait between two looks into the outbox: what a replica left behind that was killed comes out, too. */
const LONGEST_WAIT_MS = 5000;

export interface OutboxRelayOptions {
  store: TitleStore;
  bus: MessageBus;
  logger: Logger;
  /** Told how many facts wait, whenever that may have changed. */
  onBacklog: (facts: number) => void;
}

/**
 * Publishes the outbox, the oldest fact first, and takes a fact out once the bus has confirmed it. A fact whose removal
 * failed is published again under the same id.
 */
export class OutboxRelay {
  readonly #options: OutboxRelayOptions;
  #running: Promise<void> | undefined;
  #wanted = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: OutboxRelayOptions) {
    this.#options = options;
  }

  /** Looks into the outbox now: at start and after each commit. By itself it looks again and again. */
  wake(): void {
    if (this.#stopped) return;
    this.#wanted = true;
    this.#running ??= this.#run();
  }

  /** Resolves when the fact that is being published is done; what is left comes out at the next start. */
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
    const { store, onBacklog } = this.#options;
    let waiting = await store.backlog();
    onBacklog(waiting);
    for (;;) {
      const facts = await store.pendingFacts(BATCH);
      if (facts.length === 0) return;
      for (const fact of facts) {
        if (this.#stopped) return;
        await this.#publish(fact);
        await store.removeFact(fact.revision);
        waiting = Math.max(waiting - 1, 0);
        onBacklog(waiting);
      }
    }
  }

  #publish({ revision, titles, occurredAt, past }: TitleFact): Promise<void> {
    const { bus } = this.#options;
    const id = `${titleStored.key}:${bus.origin}:${revision}`;
    return bus.publish(titleStored, { revision, titles: [...titles] }, { id, occurredAt, past });
  }

  #waitMs(): number {
    if (this.#failures === 0) return LONGEST_WAIT_MS;
    return Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LONGEST_WAIT_MS);
  }
}
