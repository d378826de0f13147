import { exponentialBackoff } from '../concurrency/index.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { messagesByKey, type Fact, type Outbox, type PendingFact } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/contracts/errors';
import type { MessageBus } from './message-bus.ts';

export const RELAY_BATCH_SIZE = 32;
/** Also the poll interval, which finds facts that a killed replica left. */
const MAX_DELAY_MS = 5000;
const backoffMs = exponentialBackoff(250, MAX_DELAY_MS);

/** Facts that are read at once to be merged: more than a second of writes. */
const MERGED_MAX = 2000;

/** Facts of which one is published for all. */
export interface FactGroup {
  readonly fact: PendingFact;
  readonly places: readonly number[];
}

export interface OutboxRelayOptions {
  outbox: Outbox;
  bus: MessageBus;
  logger: { info(message: string): unknown; warn(message: string, details: object): unknown };
  /** Groups waiting facts. Default: each is published. */
  merge?: ((facts: readonly PendingFact[]) => readonly FactGroup[]) | undefined;
  /** From the begin of a run to that of the next, in milliseconds. Default: 0. */
  intervalMs?: number | undefined;
}

/**
 * Publishes the outbox in order and removes confirmed facts. After a failure everything from there on is published
 * again, with the same ids, so readers see facts in order.
 */
export class OutboxRelay {
  /** For the health details and the metric. */
  readonly backlog = { waiting: 0 };
  readonly #options: OutboxRelayOptions;
  readonly #runDetached = AsyncLocalStorage.snapshot();
  #running: Promise<void> | undefined;
  #isRequested = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #interval: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: OutboxRelayOptions) {
    this.#options = options;
  }

  /** Call at start and after commits. Polls as well. */
  readonly wake = (): void => {
    if (this.#stopped) return;
    this.#isRequested = true;
    if (this.#interval === undefined) this.#running ??= this.#runDetached(() => this.#run());
  };

  /** As `wake`, and does not wait for the end of the interval: after rare changes, such as those of operators. */
  readonly wakeNow = (): void => {
    clearTimeout(this.#interval);
    this.#interval = undefined;
    this.wake();
  };

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#interval);
    await this.#running;
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    const { intervalMs = 0 } = this.#options;
    try {
      while (this.#isRequested && this.#interval === undefined && !this.#stopped) {
        this.#isRequested = false;
        if (intervalMs > 0) this.#interval = setTimeout(this.#endInterval, intervalMs).unref();
        await this.#drain();
      }
      if (this.#failures > 0) this.#options.logger.info('fact publishing recovered');
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures === 1) {
        this.#options.logger.warn('publishing facts failed, retrying', { reason: messageOf(error) });
      }
    }
    this.#running = undefined;
    if (!this.#stopped)
      this.#timer = setTimeout(this.wake, this.#failures === 0 ? MAX_DELAY_MS : backoffMs(this.#failures));
  }

  readonly #endInterval = (): void => {
    this.#interval = undefined;
    if (this.#isRequested) this.wake();
  };

  async #drain(): Promise<void> {
    const { outbox, merge } = this.#options;
    const limit = merge === undefined ? RELAY_BATCH_SIZE : MERGED_MAX;
    let waiting: number | undefined;
    while (!this.#stopped) {
      const facts = await outbox.pending(limit);
      waiting ??= facts.length < limit ? facts.length : await outbox.backlog();
      this.backlog.waiting = waiting;
      const groups = merge?.(facts) ?? facts.map((fact) => ({ fact, places: [fact.place] }));
      if (groups.length === 0) return;
      const { published, fault } = await this.#publishAll(groups.slice(0, RELAY_BATCH_SIZE));
      if (published.length > 0) await outbox.remove(published);
      waiting = Math.max(waiting - published.length, 0);
      this.backlog.waiting = waiting;
      if (fault !== undefined) throw fault;
    }
  }

  /** Returns the positions of the facts published before the first failure, and its error. */
  async #publishAll(groups: readonly FactGroup[]): Promise<{ published: number[]; fault?: Error }> {
    const outcomes = await Promise.allSettled(groups.map(({ fact }) => this.#publish(fact)));
    const published: number[] = [];
    for (const [index, { places }] of groups.entries()) {
      const outcome = outcomes[index];
      if (outcome?.status === 'rejected') {
        return { published, fault: new Error(messageOf(outcome.reason), { cause: outcome.reason }) };
      }
      published.push(...places);
    }
    return { published };
  }

  async #publish({ type, id, occurredAt, past, data }: Fact): Promise<void> {
    const message = messagesByKey.get(type);
    if (message === undefined) throw new Error(`Unknown message type ${type}, stored by a newer release`);
    await this.#options.bus.publish(message, data, { id, occurredAt, past });
  }
}
