import type { MessageType, ServiceName } from '@lobbystats/contracts';
import { AppError, hasCode } from '@lobbystats/errors';
import type { z } from 'zod';
import type { BusHooks } from '../bus-hooks.ts';
import { resolveConsumerSettings } from '../consumer-settings.ts';
import { Dispatcher } from '../dispatcher.ts';
import { encodeMessage, createEnvelope } from '../encode-message.ts';
import { withPublishSpan } from '../with-publish-span.ts';
import type { Consumer, LogPosition, LogReader, MessageBus, PublishOptions, Subscription } from '../message-bus.ts';
import { SubscriptionSet } from '../subscription-set.ts';
import { isLowPriority } from '../is-low-priority.ts';
import { CrashLoopGuard } from './crash-loop-guard.ts';
import { FeedConsumer } from './feed-consumer.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { JournalWriter } from './journal-writer.ts';
import { JournalLogReader } from './journal-log-reader.ts';
import { toLogPosition } from '../log-position.ts';
import { QueueFeed } from './queue-feed.ts';

export interface InProcessBusOptions {
  readonly journal: Journal;
  readonly origin: string;
  readonly hooks: BusHooks;
  readonly clock: () => number;
  /** How often to look for dead letters requeued by another process. */
  readonly pollMs: number;
}

export class InProcessBus implements MessageBus {
  readonly origin: string;
  readonly #options: InProcessBusOptions;
  readonly #writer: JournalWriter;
  readonly #crashLoopGuard: CrashLoopGuard;
  readonly #feeds = new Map<ServiceName, QueueFeed>();
  readonly #logReaders = new Set<JournalLogReader>();
  readonly #subscriptions = new SubscriptionSet();
  readonly #pollTimer: NodeJS.Timeout;
  #closing: Promise<void> | undefined;

  constructor(options: InProcessBusOptions) {
    const { journal, clock, origin, pollMs } = options;
    this.#options = options;
    this.origin = origin;
    this.#writer = new JournalWriter({ journal, clock, onCommit: (published) => this.#onCommit(published) });
    this.#crashLoopGuard = new CrashLoopGuard(journal);
    this.#pollTimer = this.#pollJournal(pollMs);
  }

  async publish<Data extends z.ZodType>(
    type: MessageType<Data>,
    data: z.input<Data>,
    options: PublishOptions = {},
  ): Promise<void> {
    const { origin, hooks, clock } = this.#options;
    await withPublishSpan(hooks, type, async (traceparent) => {
      const message = createEnvelope(type, data, options, { origin, clock, traceparent });
      await this.enqueue({
        queues: type.consumers,
        isFact: type.exchange === 'facts',
        priority: isLowPriority(type, message) ? 1 : 0,
        expiresAt: options.expiresAtMs ?? null,
        body: encodeMessage(message),
      });
    });
    hooks.event('published', { type: type.key, count: 1 });
  }

  async enqueue(entry: JournalEntry): Promise<void> {
    await this.#writer.publish(entry);
  }

  async consume(consumer: Consumer): Promise<Subscription> {
    this.#assertOpen();
    const { origin, hooks, clock } = this.#options;
    const settings = resolveConsumerSettings(consumer);
    const dispatcher = new Dispatcher({ settings, origin, hooks, clock });
    const feed = this.#feedOf(consumer.queue);
    const fed = new FeedConsumer(settings, dispatcher);
    feed.addConsumer(fed);
    return this.#subscriptions.track(async () => {
      feed.removeConsumer(fed);
      await dispatcher.stop();
      this.#writer.flush();
    });
  }

  async readLog(reader: LogReader): Promise<Subscription> {
    this.#assertOpen();
    const { journal, origin, hooks } = this.#options;
    const follower = new JournalLogReader({ journal, reader, origin, hooks });
    this.#logReaders.add(follower);
    return this.#subscriptions.track(async () => {
      this.#logReaders.delete(follower);
      await follower.stop();
    });
  }

  async logEnd(): Promise<LogPosition> {
    const { journal } = this.#options;
    return toLogPosition(journal.logId, journal.logBounds().newest);
  }

  async depth(queue: ServiceName): Promise<number> {
    this.#writer.flush();
    return this.#options.journal.depth(queue);
  }

  async check(): Promise<void> {
    await this.#writer.check();
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  refresh(): void {
    for (const feed of this.#feeds.values()) {
      feed.onPublished({ priority: 0 });
      feed.onPublished({ priority: 1 });
    }
    this.#writer.wake();
  }

  async #shutDown(): Promise<void> {
    clearInterval(this.#pollTimer);
    await this.#subscriptions.stop();
    this.#writer.close();
    for (const feed of this.#feeds.values()) feed.close();
    this.#options.journal.close();
  }

  #onCommit(published: readonly JournalEntry[]): void {
    for (const entry of published) {
      for (const queue of entry.queues) this.#feeds.get(queue)?.onPublished(entry);
    }
    if (published.some(({ isFact }) => isFact)) for (const follower of this.#logReaders) follower.onPublished();
    for (const feed of this.#feeds.values()) feed.feed();
  }

  #feedOf(queue: ServiceName): QueueFeed {
    const { journal, clock } = this.#options;
    const known = this.#feeds.get(queue);
    if (known !== undefined) return known;
    const feed = new QueueFeed({ queue, journal, clock, writer: this.#writer, crashLoopGuard: this.#crashLoopGuard });
    this.#feeds.set(queue, feed);
    return feed;
  }

  #pollJournal(everyMs: number): NodeJS.Timeout {
    let version = this.#options.journal.dataVersion();
    const poll = (): void => {
      try {
        const now = this.#options.journal.dataVersion();
        if (now !== version) this.refresh();
        version = now;
      } catch (error) {
        if (!hasCode(error, 'unavailable')) throw error;
      }
    };
    return setInterval(poll, everyMs).unref();
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new AppError('unavailable', 'The bus is closed');
  }
}
