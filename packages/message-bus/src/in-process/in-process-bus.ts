import type { MessageType, ServiceName } from '@lobbystats/contracts';
import { AppError, hasCode } from '@lobbystats/errors';
import type { z } from 'zod';
import type { BusHooks } from '../bus-hooks.ts';
import { consumerSettings } from '../consumer-settings.ts';
import { Dispatcher } from '../dispatcher.ts';
import { encodeMessage, envelopeOf } from '../encode-message.ts';
import { inPublishingSpan } from '../in-publishing-span.ts';
import type { Consumer, LogPosition, LogReader, MessageBus, PublishOptions, Running } from '../message-bus.ts';
import { RunningSet } from '../running-set.ts';
import { yields } from '../yields.ts';
import { Caution } from './caution.ts';
import { FeedConsumer } from './feed-consumer.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { JournalWriter } from './journal-writer.ts';
import { LogFollower } from './log-follower.ts';
import { logPosition } from '../log-position.ts';
import { QueueFeed } from './queue-feed.ts';

export interface InProcessBusOptions {
  readonly journal: Journal;
  readonly origin: string;
  readonly hooks: BusHooks;
  readonly clock: () => number;
  /** How often to look for dead letters requeued by another process. */
  readonly watchMs: number;
}

export class InProcessBus implements MessageBus {
  readonly origin: string;
  readonly #options: InProcessBusOptions;
  readonly #writer: JournalWriter;
  readonly #caution: Caution;
  readonly #feeds = new Map<ServiceName, QueueFeed>();
  readonly #followers = new Set<LogFollower>();
  readonly #running = new RunningSet();
  readonly #watch: NodeJS.Timeout;
  #closing: Promise<void> | undefined;

  constructor(options: InProcessBusOptions) {
    const { journal, clock, origin, watchMs } = options;
    this.#options = options;
    this.origin = origin;
    this.#writer = new JournalWriter({ journal, clock, onTurn: (published) => this.#onTurn(published) });
    this.#caution = new Caution(journal);
    this.#watch = this.#watchJournal(watchMs);
  }

  async publish<Data extends z.ZodType>(
    type: MessageType<Data>,
    data: z.input<Data>,
    options: PublishOptions = {},
  ): Promise<void> {
    const { origin, hooks, clock } = this.#options;
    await inPublishingSpan(hooks, type, async (traceparent) => {
      const message = envelopeOf(type, data, options, { origin, clock, traceparent });
      await this.put({
        queues: type.consumers,
        fact: type.exchange === 'facts',
        priority: yields(type, message) ? 1 : 0,
        expiresAt: options.expiresAtMs ?? null,
        body: encodeMessage(message),
      });
    });
    hooks.event('published', { type: type.key, count: 1 });
  }

  async put(entry: JournalEntry): Promise<void> {
    await this.#writer.publish(entry);
  }

  async consume(consumer: Consumer): Promise<Running> {
    this.#expectOpen();
    const { origin, hooks, clock } = this.#options;
    const settings = consumerSettings(consumer);
    const dispatcher = new Dispatcher({ settings, origin, hooks, clock });
    const feed = this.#feedOf(consumer.queue);
    const fed = new FeedConsumer(settings, dispatcher);
    feed.addConsumer(fed);
    return this.#running.track(async () => {
      feed.removeConsumer(fed);
      await dispatcher.stop();
      this.#writer.flush();
    });
  }

  async readLog(reader: LogReader): Promise<Running> {
    this.#expectOpen();
    const { journal, origin, hooks } = this.#options;
    const follower = new LogFollower({ journal, reader, origin, hooks });
    this.#followers.add(follower);
    return this.#running.track(async () => {
      this.#followers.delete(follower);
      await follower.stop();
    });
  }

  async logEnd(): Promise<LogPosition> {
    const { journal } = this.#options;
    return logPosition(journal.logId, journal.logBounds().newest);
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

  lookAgain(): void {
    for (const feed of this.#feeds.values()) {
      feed.noticed({ priority: 0 });
      feed.noticed({ priority: 1 });
    }
    this.#writer.wake();
  }

  async #shutDown(): Promise<void> {
    clearInterval(this.#watch);
    await this.#running.stop();
    this.#writer.close();
    for (const feed of this.#feeds.values()) feed.close();
    this.#options.journal.close();
  }

  #onTurn(published: readonly JournalEntry[]): void {
    for (const entry of published) {
      for (const queue of entry.queues) this.#feeds.get(queue)?.noticed(entry);
    }
    if (published.some(({ fact }) => fact)) for (const follower of this.#followers) follower.noticed();
    for (const feed of this.#feeds.values()) feed.feed();
  }

  #feedOf(queue: ServiceName): QueueFeed {
    const { journal, clock } = this.#options;
    const known = this.#feeds.get(queue);
    if (known !== undefined) return known;
    const feed = new QueueFeed({ queue, journal, clock, writer: this.#writer, caution: this.#caution });
    this.#feeds.set(queue, feed);
    return feed;
  }

  #watchJournal(everyMs: number): NodeJS.Timeout {
    let version = this.#options.journal.foreignVersion();
    const look = (): void => {
      try {
        const now = this.#options.journal.foreignVersion();
        if (now !== version) this.lookAgain();
        version = now;
      } catch (error) {
        if (!hasCode(error, 'unavailable')) throw error;
      }
    };
    return setInterval(look, everyMs).unref();
  }

  #expectOpen(): void {
    if (this.#closing !== undefined) throw new AppError('unavailable', 'The bus is closed');
  }
}
