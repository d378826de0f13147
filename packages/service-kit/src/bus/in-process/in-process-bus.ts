import type { ServiceName } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import { BusBase, type BusContext } from '../bus-base.ts';
import { resolveConsumerSettings } from '../consumer-settings.ts';
import { Dispatcher } from '../dispatcher.ts';
import type { EncodedMessage } from '../encode-message.ts';
import { toLogPosition } from '../log-position.ts';
import type { Consumer, LogPosition, LogReader, MessageBus, Subscription } from '../message-bus.ts';
import { CrashLoopGuard } from './crash-loop-guard.ts';
import { JournalLogReader } from './journal-log-reader.ts';
import { JournalWriter } from './journal-writer.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { QueueFeed } from './queue-feed.ts';
import { LocalReplicas, type Replica } from '../replicas.ts';

interface InProcessBusOptions extends BusContext {
  readonly journal: Journal;
  /** How often to look for dead letters requeued by another process. Undefined: there is no other, as the journal has no file. */
  readonly pollMs: number | undefined;
}

export class InProcessBus extends BusBase implements MessageBus {
  readonly #journal: Journal;
  readonly #writer: JournalWriter;
  readonly #crashLoopGuard: CrashLoopGuard;
  readonly #feeds = new Map<ServiceName, QueueFeed>();
  readonly #waitingReaders = new Set<(woken: undefined) => void>();
  readonly #replicas = new LocalReplicas();
  readonly #pollTimer: NodeJS.Timeout | undefined;

  constructor({ journal, pollMs, ...context }: InProcessBusOptions) {
    super(context);
    this.#journal = journal;
    this.#writer = new JournalWriter({
      journal,
      clock: context.clock,
      onCommit: (published) => this.#onCommit(published),
    });
    this.#crashLoopGuard = new CrashLoopGuard(journal);
    this.#pollTimer = pollMs === undefined ? undefined : this.#pollJournal(pollMs);
  }

  async enqueue(entry: JournalEntry): Promise<void> {
    await this.#writer.publish(entry);
  }

  async consume(consumer: Consumer): Promise<Subscription> {
    this.assertOpen();
    const settings = resolveConsumerSettings(consumer);
    const dispatcher = new Dispatcher({ settings, ...this.context });
    const removeConsumer = this.#feedOf(consumer.queue).addConsumer(settings.prefetch, dispatcher);
    return this.track(async () => {
      removeConsumer();
      await dispatcher.stop();
      this.#writer.flush();
    });
  }

  async readLog(reader: LogReader): Promise<Subscription> {
    this.assertOpen();
    const follower = new JournalLogReader({
      ...{ journal: this.#journal, reader, waiting: this.#waitingReaders, ...this.context },
    });
    return this.track(() => follower.stop());
  }

  async join(replica: Replica): Promise<Subscription> {
    this.assertOpen();
    return this.track(this.#replicas.join(replica));
  }

  async logEnd(): Promise<LogPosition> {
    return toLogPosition(this.#journal.logId, this.#journal.logBounds().newest);
  }

  async depth(queue: ServiceName): Promise<number> {
    this.#writer.flush();
    return this.#journal.depth(queue);
  }

  async check(): Promise<void> {
    await this.#writer.check();
  }

  refresh(): void {
    for (const feed of this.#feeds.values()) {
      feed.onPublished({ priority: 0 });
      feed.onPublished({ priority: 1 });
    }
    this.#writer.wake();
  }

  protected async send({ type, body, isLowPriority, expiresAtMs }: EncodedMessage): Promise<void> {
    await this.enqueue({
      queues: type.consumers,
      isFact: type.exchange === 'facts',
      priority: isLowPriority ? 1 : 0,
      expiresAt: expiresAtMs ?? null,
      body,
    });
  }

  protected async shutDown(): Promise<void> {
    clearInterval(this.#pollTimer);
    this.#writer.close();
    for (const feed of this.#feeds.values()) feed.close();
    this.#journal.close();
  }

  #onCommit(published: readonly JournalEntry[]): void {
    for (const entry of published) {
      for (const queue of entry.queues) this.#feeds.get(queue)?.onPublished(entry);
    }
    if (published.some(({ isFact }) => isFact)) for (const wake of this.#waitingReaders) wake(undefined);
    for (const feed of this.#feeds.values()) feed.feed();
  }

  #feedOf(queue: ServiceName): QueueFeed {
    const known = this.#feeds.get(queue);
    if (known !== undefined) return known;
    const feed = new QueueFeed({
      queue,
      journal: this.#journal,
      clock: this.context.clock,
      writer: this.#writer,
      crashLoopGuard: this.#crashLoopGuard,
    });
    this.#feeds.set(queue, feed);
    return feed;
  }

  #pollJournal(everyMs: number): NodeJS.Timeout {
    let version = this.#journal.dataVersion();
    const poll = (): void => {
      try {
        const now = this.#journal.dataVersion();
        if (now !== version) this.refresh();
        version = now;
      } catch (error) {
        if (!hasCode(error, 'unavailable')) throw error;
      }
    };
    return setInterval(poll, everyMs).unref();
  }
}
