import type { ServiceName } from '@lobbystats/contracts';
import type { Delivery } from '../delivery.ts';
import type { FeedConsumer } from './feed-consumer.ts';
import type { Journal, JournalEntry, Priority, QueuedRow } from './journal.ts';
import type { JournalWriter } from './journal-writer.ts';

export interface QueueFeedOptions {
  readonly queue: ServiceName;
  readonly journal: Journal;
  readonly writer: JournalWriter;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Rows read at once: few enough that a page of the largest bodies still fits into memory. */
const PAGE = 32;
/** A clock that was set back must not make a message wait for days. */
const LONGEST_WAIT_MS = 24 * 3_600_000;
const PRIORITIES: readonly Priority[] = [0, 1];

/**
 * Brings the messages of one queue to its consumers: live ones first, and among those the older.
 *
 * No row is marked while it is in hand. What has been read lies behind a mark that only moves on, and comes again only
 * through `#again`: given back, or after its backoff. A restart begins at the front.
 */
export class QueueFeed {
  readonly #options: QueueFeedOptions;
  readonly #consumers: FeedConsumer[] = [];
  readonly #readUpTo: Record<Priority, number> = { 0: 0, 1: 0 };
  readonly #mayHaveMore: Record<Priority, boolean> = { 0: true, 1: true };
  readonly #again: Record<Priority, number[]> = { 0: [], 1: [] };
  /** By turns: what fails for ever must not hold up what is new, nor what is new for ever what has failed. */
  #newFirst = false;
  readonly #backoffs = new Set<NodeJS.Timeout>();

  constructor(options: QueueFeedOptions) {
    this.#options = options;
  }

  addConsumer(consumer: FeedConsumer): void {
    this.#consumers.push(consumer);
    this.#options.writer.wake();
  }

  /** It gets nothing more. */
  removeConsumer(consumer: FeedConsumer): void {
    const at = this.#consumers.indexOf(consumer);
    if (at !== -1) this.#consumers.splice(at, 1);
  }

  /** Tells that there is something new in the queue. */
  noticed({ priority }: Pick<JournalEntry, 'priority'>): void {
    this.#mayHaveMore[priority] = true;
  }

  /**
   * Hands over as much as consumers have room for now; what they settle at once makes room for the next turn.
   *
   * @throws AppError `unavailable` when the journal can't be read: nothing is lost, call again
   */
  feed(): void {
    let allowed = this.#room();
    if (allowed === 0) return;
    this.#newFirst = !this.#newFirst;
    for (const priority of PRIORITIES) {
      if (this.#newFirst) allowed -= this.#feedNew(priority, allowed);
      allowed -= this.#feedAgain(priority, allowed);
      if (!this.#newFirst) allowed -= this.#feedNew(priority, allowed);
    }
  }

  close(): void {
    for (const backoff of this.#backoffs) clearTimeout(backoff);
  }

  #feedAgain(priority: Priority, allowed: number): number {
    const due = this.#again[priority];
    let fed = 0;
    for (let [seq] = due; seq !== undefined && fed < allowed; [seq] = due) {
      const row = this.#options.journal.queuedAt(seq);
      due.shift();
      if (row !== undefined) this.#deliver(row, priority);
      fed += 1;
    }
    return fed;
  }

  #feedNew(priority: Priority, allowed: number): number {
    const { queue, journal, clock } = this.#options;
    let fed = 0;
    while (this.#mayHaveMore[priority] && fed < allowed) {
      const limit = Math.min(allowed - fed, PAGE);
      const rows = journal.queuedAfter(queue, priority, this.#readUpTo[priority], limit);
      this.#mayHaveMore[priority] = rows.length === limit;
      const now = clock();
      for (const row of rows) {
        this.#readUpTo[priority] = row.seq;
        if (row.availableAt > now) this.#later(row.seq, priority, row.availableAt - now);
        else this.#deliver(row, priority);
      }
      fed += rows.length;
    }
    return fed;
  }

  #deliver(row: QueuedRow, priority: Priority): void {
    const { writer, clock } = this.#options;
    const { seq, body } = row;
    const consumer = this.#roomiest();
    if (consumer === undefined) {
      this.#later(seq, priority, 0);
      return;
    }
    const attempt = row.attempts + 1;
    consumer.take(body);
    const delivery: Delivery = {
      body,
      attempt,
      expiresAtMs: row.expiresAt ?? undefined,
      ack: () => {
        consumer.giveBack(body);
        writer.settle({ kind: 'done', seq });
      },
      retry: (delayMs) => {
        consumer.giveBack(body);
        writer.settle({ kind: 'again', seq, attempts: attempt, availableAt: clock() + delayMs });
        this.#later(seq, priority, delayMs);
      },
      dead: (reason) => {
        consumer.giveBack(body);
        writer.settle({ kind: 'dead', seq, attempts: attempt, reason });
      },
      release: () => {
        consumer.giveBack(body);
        this.#later(seq, priority, 0);
      },
    };
    consumer.dispatcher.deliver(delivery);
  }

  #later(seq: number, priority: Priority, delayMs: number): void {
    const again = (): void => {
      this.#again[priority].push(seq);
      this.#options.writer.wake();
    };
    if (delayMs === 0) {
      again();
      return;
    }
    const backoff = setTimeout(
      () => {
        this.#backoffs.delete(backoff);
        again();
      },
      Math.min(delayMs, LONGEST_WAIT_MS),
    );
    this.#backoffs.add(backoff);
  }

  #room(): number {
    return this.#consumers.reduce((sum, { room }) => sum + Math.max(room, 0), 0);
  }

  #roomiest(): FeedConsumer | undefined {
    let best: FeedConsumer | undefined;
    for (const consumer of this.#consumers) if (consumer.room > (best?.room ?? 0)) best = consumer;
    return best;
  }
}
